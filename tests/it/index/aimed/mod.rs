//! Edits that are aimed at what other files depend on: an update equals a rebuild after each.
//!
//! Each kind of [`SCENARIOS`] is a small repository whose texts have choices. A case makes another choice, updates the
//! index, and compares it with one built from nothing. `KNOWING_AIMED` sets the number of cases (a few of each kind
//! without it), `KNOWING_AIMED_SEED` the seed, and `KNOWING_AIMED_ONLY` selects kinds by a part of `language: kind`.

mod scenario;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::dump::{difference, dump};
use super::incremental::run;
use super::source::Dice;
use scenario::{Choices, Scenario};

/// The texts of each language's repositories.
const SCENARIOS: &[(&str, &str)] = &[
    ("bash", include_str!("bash.txt")),
    ("c", include_str!("c.txt")),
    ("cpp", include_str!("cpp.txt")),
    ("csharp", include_str!("csharp.txt")),
    ("go", include_str!("go.txt")),
    ("java", include_str!("java.txt")),
    ("kotlin", include_str!("kotlin.txt")),
    ("lua", include_str!("lua.txt")),
    ("php", include_str!("php.txt")),
    ("proto", include_str!("proto.txt")),
    ("python", include_str!("python.txt")),
    ("ruby", include_str!("ruby.txt")),
    ("rust", include_str!("rust.txt")),
    ("scala", include_str!("scala.txt")),
    ("swift", include_str!("swift.txt")),
    ("typescript", include_str!("typescript.txt")),
];

/// Edits of one repository, one after the other.
const CHAIN: u64 = 4;

/// Number of unrelated files to each of a repository.
const UNRELATED: usize = 4;

/// A difference between an update and a rebuild.
struct Finding {
    kind: String,
    seed: u64,
    edit: String,
    lines: Vec<String>,
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
fn aimed_edits_equal_a_rebuild() {
    let seed: u64 = setting("KNOWING_AIMED_SEED").map_or(1, |text| text.parse().unwrap());
    let only = setting("KNOWING_AIMED_ONLY").unwrap_or_default();
    let all: Vec<Scenario> = SCENARIOS.iter().flat_map(|(language, text)| scenario::parse(language, text)).collect();
    let all: Vec<&Scenario> = all.iter().filter(|scenario| scenario.kind.contains(&only)).collect();
    let cases: Option<u64> = setting("KNOWING_AIMED").map(|text| text.parse().unwrap());
    let chains = cases.map_or(all.len() as u64, |cases| cases.div_ceil(CHAIN));
    // Threads of their own: one of rayon's that waits for an index run would begin another chain on the same stack.
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= chains {
                return;
            }
            let scenario = all[number as usize % all.len()];
            let findings = chain(scenario, seed.wrapping_mul(1_000_003).wrapping_add(number));
            done.lock().unwrap().push((scenario.kind.as_str(), findings));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| _ = scope.spawn(work)));
    let done: Vec<(&str, Vec<Finding>)> = done.into_inner().unwrap();
    let mut counts: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (kind, findings) in &done {
        let entry = counts.entry(kind).or_default();
        *entry = (entry.0 + CHAIN, entry.1 + findings.len());
    }
    for (kind, (cases, differing)) in &counts {
        println!("{kind}: {cases} cases, {differing} differ");
    }
    let findings: Vec<&Finding> = done.iter().flat_map(|(_, findings)| findings).collect();
    let total: u64 = counts.values().map(|(cases, _)| cases).sum();
    for Finding { kind, seed, edit, lines } in findings.iter().take(40) {
        println!("\n{kind}, chain {seed}\n{edit}  updated (-) and rebuilt (+):\n  {}", lines.join("\n  "));
    }
    assert!(findings.is_empty(), "{} of {total} cases differ", findings.len());
}

/// Makes a chain of edits in one repository. Returns the differences.
fn chain(scenario: &Scenario, seed: u64) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let dice = &mut Dice::new(seed);
    let mut choices = scenario.any_choices(dice);
    let mut before = choices.clone();
    std::fs::create_dir_all(&root).unwrap();
    write_changes(scenario, &root, None, &choices);
    write_unrelated(scenario, &root);
    run(&root, &database, 1);
    let mut findings = Vec::new();
    for step in 0..CHAIN {
        // A revert, a change, or two changes at once.
        let next = match dice.roll(8) {
            0 | 1 if before != choices && step > 0 => before.clone(),
            2 => {
                let first = scenario.another(dice, &choices);
                scenario.another(dice, &first)
            }
            _ => scenario.another(dice, &choices),
        };
        let edit = write_changes(scenario, &root, Some(&choices), &next);
        before = std::mem::replace(&mut choices, next);
        run(&root, &database, 1);
        let rebuilt = folder.path().join(format!("rebuilt{step}.db"));
        run(&root, &rebuilt, 1);
        let lines = difference(&dump(&database), &dump(&rebuilt));
        if !lines.is_empty() {
            findings.push(Finding { kind: scenario.kind.clone(), seed, edit, lines });
            // The next edit starts from a correct index.
            std::fs::rename(&rebuilt, &database).unwrap();
        }
    }
    findings
}

/// Writes files that have nothing to do with the others, in languages where an update reads only those that have.
fn write_unrelated(scenario: &Scenario, root: &Path) {
    if scenario.kind.starts_with("c: ") || scenario.kind.starts_with("cpp: ") {
        let files = scenario.files.len() * UNRELATED;
        (0..files).for_each(|number| {
            let text = format!("int apart_{number}(int n) {{ return n; }}\n");
            super::incremental::write(&root.join(format!("apart/{number}.c")), &text);
        });
    }
}

/// Writes the files whose texts differ between two choices. Returns the changed lines.
fn write_changes(scenario: &Scenario, root: &Path, before: Option<&Choices>, after: &Choices) -> String {
    let mut edit = String::new();
    for file in &scenario.files {
        let old = before.and_then(|choices| file.text(choices));
        let new = file.text(after);
        if old == new && before.is_some() {
            continue;
        }
        let path = root.join(&file.path);
        match &new {
            Some(text) => super::incremental::write(&path, text),
            None => _ = std::fs::remove_file(&path),
        }
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (old, new) = (lines(&old), lines(&new));
        edit += &format!("  {}\n", file.path);
        old.iter().filter(|line| !new.contains(line)).for_each(|line| edit += &format!("    - {line}\n"));
        new.iter().filter(|line| !old.contains(line)).for_each(|line| edit += &format!("    + {line}\n"));
    }
    edit
}
