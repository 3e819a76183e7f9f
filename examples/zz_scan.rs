//! scratch
use std::time::Instant;
fn main() {
    let root = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    for _ in 0..6 {
        let t = Instant::now();
        let d = knowing::scan::discover(&root);
        println!(
            "discover {:?} files {} manifests {} skips {}",
            t.elapsed(),
            d.files.len(),
            d.manifests.len(),
            d.skips.len()
        );
    }
    let d = knowing::scan::discover(&root);
    for s in &d.skips {
        println!("{:?} {}", s.reason, s.path);
    }
    let t = Instant::now();
    let (m, ms) = knowing::scan::read_manifests(&root, &d.manifests);
    println!("manifests {} {:?} {:?}", m.len(), ms, t.elapsed());
    let t = Instant::now();
    let mut bytes = 0;
    let mut longest = (0, String::new());
    for f in &d.files {
        match knowing::scan::read(&root, &f.path) {
            Ok(c) => {
                bytes += c.text.len();
                let l = c.text.lines().map(str::len).max().unwrap_or(0);
                if l > longest.0 {
                    longest = (l, f.path.clone());
                }
            }
            Err(r) => println!("{r:?} {}", f.path),
        }
    }
    println!("read {bytes} {:?} longest {longest:?}", t.elapsed());
    println!("{:?}", knowing::scan::Repository::find(&root));
}
