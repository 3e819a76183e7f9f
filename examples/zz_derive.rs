//! scratch
use knowing::facts::*;
use knowing::graph::derive;
use knowing::graph::derive::similar_to::Body;
use knowing::graph::view::*;
use knowing::lang::rules_of;
use knowing::model::*;
use knowing::resolve::input::*;
use knowing::resolve::output::End;
use knowing::resolve::value::{SymbolRef, Value};
use knowing::resolve::world::World;
use rayon::prelude::*;
use std::collections::*;
use std::path::Path;
use std::time::Instant;
struct Loaded(Vec<(String, &'static str, FileFacts)>);
impl CodeSource for Loaded {
    fn code(&self, f: u32) -> &Code {
        &self.0[f as usize].2.code
    }
}
fn main() {
    let root = std::env::args().nth(1).unwrap();
    let root = Path::new(&root);
    rayon::ThreadPoolBuilder::new().stack_size(64 << 20).build_global().unwrap();
    let found = knowing::scan::discover(root);
    let (manifests, _) = knowing::scan::read_manifests(root, &found.manifests);
    let t = Instant::now();
    let loaded = Loaded(
        found
            .files
            .par_iter()
            .filter_map(|f| {
                let c = knowing::scan::read(root, &f.path).ok()?;
                Some((
                    f.path.clone(),
                    f.language.name,
                    knowing::parse::parse(f.language, &f.path, c.text.as_bytes()).ok()?,
                ))
            })
            .collect(),
    );
    eprintln!("extract {:?}", t.elapsed());
    let files: Vec<FileInput> =
        loaded.0.iter().map(|(p, l, f)| FileInput { path: p, language: l, outline: &f.outline }).collect();
    let world = World::new(&files, &manifests, &loaded, &rules_of);
    let all: Vec<u32> = (0..files.len() as u32).collect();
    let resolved = knowing::resolve::resolve(&world, &all);
    eprintln!("resolved {:?}", t.elapsed());
    let t = Instant::now();
    let mut starts = vec![];
    let mut n = 0u32;
    for f in &files {
        starts.push(n);
        n += 1 + f.outline.definitions.len() as u32;
    }
    let mut nodes: Vec<Node> = vec![];
    let mut fnodes = vec![];
    for (fi, f) in files.iter().enumerate() {
        fnodes.push(FileNode { path: f.path, language: f.language, node: starts[fi] });
        nodes.push(Node {
            name: f.path,
            kind: SymbolKind::File,
            file: fi as u32,
            container: None,
            parent: None,
            is_test: f.outline.is_test,
            is_abstract: false,
            shape: 0,
        });
        for d in &f.outline.definitions {
            let container = match d.container {
                Container::Module => None,
                Container::Definition(o) => Some(starts[fi] + 1 + o.0),
                Container::Extension(b) => match world.extensions().targets.get(&(fi as u32, b.0)) {
                    Some(Value::Instance { symbol: SymbolRef { file, definition }, .. }) => {
                        Some(starts[*file as usize] + 1 + definition)
                    }
                    _ => None,
                },
            };
            nodes.push(Node {
                name: f.outline.names.get(d.name),
                kind: d.kind,
                file: fi as u32,
                container,
                parent: d.parent.map(|p| starts[fi] + 1 + p.0),
                is_test: d.flags.is_test || f.outline.is_test,
                is_abstract: d.flags.is_abstract,
                shape: if d.container != Container::Module {
                    knowing::graph::shape::method_shape(f.language, &d.signature)
                } else {
                    0
                },
            });
        }
    }
    let mut ext: BTreeMap<&End, u32> = BTreeMap::new();
    for r in &resolved {
        for e in &r.edges {
            for x in [&e.source, &e.target] {
                if !matches!(x, End::Definition { .. } | End::File(_)) {
                    ext.insert(x, 0);
                }
            }
        }
    }
    for (e, i) in ext.iter_mut() {
        *i = nodes.len() as u32;
        let name = match e {
            End::External(n) | End::EnvVar(n) | End::Process(n) | End::Route(n) => n.as_str(),
            _ => "",
        };
        nodes.push(Node {
            name,
            kind: SymbolKind::External,
            file: NONE,
            container: None,
            parent: None,
            is_test: false,
            is_abstract: false,
            shape: 0,
        });
    }
    let pos = |e: &End| match e {
        End::Definition { file, definition } => starts[*file as usize] + 1 + definition,
        End::File(f) => starts[*f as usize],
        o => ext[o],
    };
    let mut edges: Vec<Edge> = resolved
        .iter()
        .flat_map(|r| &r.edges)
        .map(|e| Edge {
            source: pos(&e.source),
            target: pos(&e.target),
            edge_type: e.edge_type,
            provenance: e.provenance,
            confidence: e.confidence,
        })
        .collect();
    edges.sort_by_key(|e| (e.source, e.target, e.edge_type));
    eprintln!("view {:?}: nodes {} edges {}", t.elapsed(), nodes.len(), edges.len());
    let view = GraphView { nodes: &nodes, files: &fnodes, edges: &edges };
    for _ in 0..3 {
        let t = Instant::now();
        let d = derive::derive(&view);
        eprintln!("derive {:?} -> {}", t.elapsed(), d.len());
    }
    let d = derive::derive(&view);
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for e in &d {
        *by.entry(e.edge_type.name()).or_default() += 1;
    }
    eprintln!("{by:?}");
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for e in &edges {
        *by.entry(e.edge_type.name()).or_default() += 1;
    }
    eprintln!("resolved {by:?}");
    let t = Instant::now();
    let mut packages: BTreeMap<&str, Vec<Body>> = BTreeMap::new();
    for (fi, f) in files.iter().enumerate() {
        for (i, d) in f.outline.definitions.iter().enumerate() {
            if d.kind.is_callable() {
                packages
                    .entry(package_of(f.path, f.language))
                    .or_default()
                    .push(Body { node: starts[fi] + 1 + i as u32, words: &loaded.0[fi].2.texts.bodies[i] });
            }
        }
    }
    let lists: Vec<&Vec<Body>> = packages.values().collect();
    let sims: Vec<Edge> = lists.par_iter().flat_map_iter(|b| derive::similar_to::edges(b)).collect();
    let test = sims.iter().filter(|e| nodes[e.source as usize].is_test).count();
    eprintln!("similar {:?} -> {} ({test} from tests)", t.elapsed(), sims.len());
    if let Some(want) = std::env::args().nth(2) {
        let full = |p: u32| {
            let n = &nodes[p as usize];
            format!(
                "{}:{}{}",
                if n.file == NONE { "" } else { fnodes[n.file as usize].path },
                n.container.map(|c| format!("{}.", nodes[c as usize].name)).unwrap_or_default(),
                n.name
            )
        };
        for e in d.iter().chain(&sims).filter(|e| e.edge_type.name() == want) {
            println!("{} -> {} {:.2}", full(e.source), full(e.target), e.confidence);
        }
    }
}
