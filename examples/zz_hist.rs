//! scratch
use knowing::scan::history::*;
use std::collections::*;
use std::time::Instant;
fn main() {
    let root = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    let t = Instant::now();
    let log = read_log(&root, &HashSet::new()).unwrap();
    let full = t.elapsed();
    let known: HashSet<_> = log.order.iter().copied().collect();
    let t = Instant::now();
    read_log(&root, &known).unwrap();
    let inc = t.elapsed();
    let t = Instant::now();
    head(&root).unwrap();
    let h = t.elapsed();
    println!(
        "{root:?} commits {} paths {} full {full:?} again {inc:?} head {h:?}",
        log.order.len(),
        log.new.iter().map(|c| c.paths.len()).sum::<usize>()
    );
    let d = knowing::scan::discover(&root);
    let mut by: HashMap<&str, Vec<CommitId>> = HashMap::new();
    for c in &log.new {
        for p in &c.paths {
            by.entry(p).or_default().push(c.id);
        }
    }
    let texts: Vec<String> =
        d.files.iter().map(|f| knowing::scan::read(&root, &f.path).map(|c| c.text).unwrap_or_default()).collect();
    let files: Vec<TracedFile> = d
        .files
        .iter()
        .zip(&texts)
        .map(|(f, t)| {
            let n = t.lines().count() as u32;
            TracedFile {
                path: &f.path,
                text: t,
                lines: (0..n / 20).map(|i| (i * 20 + 1, i * 20 + 20)).collect(),
                commits: by.get(f.path.as_str()).cloned().unwrap_or_default(),
            }
        })
        .collect();
    let steps: usize = files.iter().map(|f| f.commits.len().min(25)).sum();
    let t = Instant::now();
    let tr = trace(&root, &files).unwrap();
    println!(
        "trace steps {steps} {:?} symbols {} with {}",
        t.elapsed(),
        tr.iter().map(Vec::len).sum::<usize>(),
        tr.iter().flatten().filter(|t| t.last.is_some()).count()
    );
}
