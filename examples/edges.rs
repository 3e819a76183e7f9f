//! Development aid: resolves a folder and prints its edges as JSON lines. `knowing export --edges` replaces it.

use std::path::Path;

use knowing::facts::{Code, FileFacts, Outline};
use knowing::lang::{language_of, rules_of};
use knowing::resolve::input::{CodeSource, FileInput, Manifest};
use knowing::resolve::output::End;
use knowing::resolve::world::World;

struct Loaded(Vec<(String, &'static str, FileFacts)>);

impl CodeSource for Loaded {
    fn code(&self, file: u32) -> &Code {
        &self.0[file as usize].2.code
    }
}

fn main() {
    let root = std::env::args().nth(1).expect("usage: edges DIR");
    rayon::ThreadPoolBuilder::new().stack_size(64 << 20).build_global().expect("one pool");
    let started = std::time::Instant::now();
    let mut sources = Vec::new();
    let mut manifests = Vec::new();
    walk(Path::new(&root), Path::new(&root), &mut sources, &mut manifests);
    sources.sort();
    use rayon::prelude::*;
    let loaded = Loaded(
        sources
            .par_iter()
            .filter_map(|path| {
                let language = language_of(path)?;
                let bytes = std::fs::read(Path::new(&root).join(path)).ok()?;
                (bytes.len() < 1 << 20).then_some(())?;
                let facts = knowing::parse::parse(language, path, &bytes).ok()?;
                Some((path.clone(), language.name, facts))
            })
            .collect(),
    );
    eprintln!("extracted {} files in {:?}", loaded.0.len(), started.elapsed());
    let files: Vec<FileInput<'_>> =
        loaded.0.iter().map(|(path, language, facts)| FileInput { path, language, outline: &facts.outline }).collect();
    let world = World::new(&files, &manifests, &loaded, &rules_of);
    eprintln!("world at {:?}", started.elapsed());
    let all: Vec<u32> = (0..files.len() as u32).collect();
    let resolved = knowing::resolve::resolve(&world, &all);
    eprintln!("resolved at {:?}", started.elapsed());
    let end = |end: &End| match end {
        End::Definition { file, definition } => {
            let outline: &Outline = files[*file as usize].outline;
            let definition = &outline.definitions[*definition as usize];
            let mut name: Vec<&str> = definition.scope_names.iter().map(|atom| outline.names.get(*atom)).collect();
            name.push(outline.names.get(definition.name));
            serde_json::json!({"file": files[*file as usize].path, "line": definition.span.name_line, "name": name.join(".")})
        }
        End::File(file) => serde_json::json!({"file": files[*file as usize].path, "line": 0, "name": "<module>"}),
        End::External(name) | End::EnvVar(name) | End::Process(name) | End::Route(name) => {
            serde_json::json!({"file": "", "line": 0, "name": name})
        }
    };
    let mut unresolved = std::collections::BTreeMap::<String, u32>::new();
    for file in &resolved {
        for (reason, count) in &file.unresolved {
            *unresolved.entry(format!("{reason:?}")).or_default() += count;
        }
        for edge in &file.edges {
            println!(
                "{}",
                serde_json::json!({"source": end(&edge.source), "target": end(&edge.target), "type": edge.edge_type.name(),
                    "provenance": edge.provenance.name(), "confidence": edge.confidence})
            );
        }
    }
    eprintln!("unresolved: {unresolved:?}");
}

fn walk(root: &Path, folder: &Path, sources: &mut Vec<String>, manifests: &mut Vec<Manifest>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !["node_modules", "vendor", "target"].contains(&name.as_str()) {
                walk(root, &path, sources, manifests);
            }
            continue;
        }
        let Ok(relative) = path.strip_prefix(root) else { continue };
        let relative = relative.to_string_lossy().into_owned();
        let is_manifest = ["go.mod", "Cargo.toml", "package.json", "pyproject.toml"].contains(&name.as_str())
            || (name.starts_with("tsconfig") && name.ends_with(".json"));
        if is_manifest && let Ok(text) = std::fs::read_to_string(&path) {
            manifests.push(Manifest { path: relative.clone(), text });
        }
        if language_of(&relative).is_some() {
            sources.push(relative);
        }
    }
}
