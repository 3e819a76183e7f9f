//! Staleness: the checkout changes, and the time until a system's answer is right again.
//!
//! The files that change are generated into a copy of a real repository, so that each change has one right answer and costs
//! what an update of that repository costs. No task contains the identifier that is asked for, because some systems print
//! the task.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::folder::RunFolder;
use super::process::Finished;
use super::record::{Change, StalenessRecord, Update, file};
use super::runner::{Plan, RunError};
use super::subject::{Subject, copy_folder, remove_folder};
use super::system::System;

/// Budget of the answers, in tokens.
const BUDGET: usize = 5_000;
/// Words by which a system says that its index is old.
const WARNINGS: [&str; 6] = ["stale", "out of date", "outdated", "changed since", "re-index", "reindex"];

/// The generated files: name, functions.
const FILES: [(&str, &[&str]); 4] = [
    ("billing", &["settle_invoice_batch", "print_invoice_page"]),
    ("ledger", &["rebuild_balance_ledger", "open_balance_period"]),
    ("refunds", &["refund_broken_order", "list_refund_reasons"]),
    ("orders", &["place_customer_order", "cancel_customer_order"]),
];

/// A language that files are generated in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    TypeScript,
}

impl Language {
    /// Returns the language of this name, if files are generated in it.
    fn named(name: &str) -> Option<Language> {
        match name {
            "python" => Some(Language::Python),
            "typescript" => Some(Language::TypeScript),
            _ => None,
        }
    }

    /// Returns the path of a file without its folder.
    fn file(self, name: &str) -> String {
        match self {
            Language::Python => format!("{name}.py"),
            Language::TypeScript => format!("{name}.ts"),
        }
    }

    /// Returns a function with a line of documentation.
    fn function(self, name: &str) -> String {
        let words = name.replace('_', " ");
        match self {
            Language::Python => format!("def {name}(record):\n    \"\"\"{words}.\"\"\"\n    return record\n\n\n"),
            Language::TypeScript => {
                format!("/** {words}. */\nexport function {name}(record: string): string {{\n  return record;\n}}\n\n")
            }
        }
    }
}

/// A change, the task that asks for what it changed, and the right answer.
struct Scenario {
    change: Change,
    task: &'static str,
    /// Texts that a right answer contains.
    present: &'static [&'static str],
    /// Texts that a right answer does not contain.
    absent: &'static [&'static str],
    apply: fn(&Path, Language) -> std::io::Result<()>,
}

const SCENARIOS: [Scenario; 5] = [
    Scenario {
        change: Change::Rename,
        task: "close the invoice batch",
        present: &["close_invoice_batch"],
        absent: &["settle_invoice_batch"],
        apply: |root, language| write(root, language, "billing", &["close_invoice_batch", "print_invoice_page"]),
    },
    Scenario {
        change: Change::NewFunction,
        task: "archive the order of a customer",
        present: &["archive_customer_order"],
        absent: &[],
        apply: |root, language| {
            let functions = ["place_customer_order", "cancel_customer_order", "archive_customer_order"];
            write(root, language, "orders", &functions)
        },
    },
    Scenario {
        change: Change::MovedFile,
        task: "rebuild the ledger of the balance",
        present: &["accounts/ledger."],
        absent: &[" ledger.py", " ledger.ts"],
        apply: |root, language| {
            let (file, folder) = (language.file("ledger"), root.join("accounts"));
            fs::create_dir_all(&folder)?;
            fs::rename(root.join(&file), folder.join(&file))
        },
    },
    Scenario {
        change: Change::DeletedFile,
        task: "refund an order that arrived broken",
        present: &[],
        absent: &["refund_broken_order"],
        apply: |root, language| fs::remove_file(root.join(language.file("refunds"))),
    },
    Scenario {
        change: Change::BranchSwitch,
        task: "grant a seasonal discount",
        present: &["grant_seasonal_discount"],
        absent: &[],
        apply: |root, _| git(root, &["checkout", "--quiet", "--force", "discounts"]),
    },
];

/// Measures every system that updates on every repository of the plan in a language that files are generated in, unless it
/// is recorded.
///
/// # Errors
/// When the run's folder or the work folder can't be used.
pub fn run(plan: &Plan, folder: &RunFolder, step: &dyn Fn(&str)) -> Result<(), RunError> {
    let known: Vec<StalenessRecord> = folder.read(file::STALENESS)?;
    for name in plan.repositories() {
        let is_known = |system: &System| known.iter().any(|it| it.system == system.name && it.repository == name);
        let systems = plan.systems.iter().filter(|system| system.updates && !is_known(system));
        let systems: Vec<&System> = systems.collect();
        if systems.is_empty() {
            continue;
        }
        let repository = plan.repository(name)?;
        let Some(language) = Language::named(&repository.language) else { continue };
        let source = plan.work.join("staleness").join(name);
        let failed = |cause| RunError::Work { path: source.clone(), cause };
        generate(&repository.folder, &source, language).map_err(failed)?;
        for system in systems {
            step(&format!("{} on {name}", system.name));
            let workplace = plan.workplace(&system.name, name, &source)?;
            let subject = plan.subject(system, &workplace, &repository.language)?;
            let indexed = subject.index();
            for scenario in &SCENARIOS {
                let record = match &indexed.failure {
                    Some(failure) => unmeasured(system, name, scenario, failure.clone()),
                    None => measure(&subject, name, scenario, &workplace.checkout, language),
                };
                folder.append(file::STALENESS, &record)?;
            }
            drop(subject);
            workplace.remove()?;
        }
        remove_folder(&source).map_err(failed)?;
    }
    Ok(())
}

/// Changes the checkout and asks at once; if the answer is wrong, updates the index and asks again.
fn measure(
    subject: &Subject<'_>,
    repository: &str,
    scenario: &Scenario,
    checkout: &Path,
    language: Language,
) -> StalenessRecord {
    let record = unmeasured(subject.system, repository, scenario, String::new());
    // Nothing is left of the changes before.
    if let Some(failure) = subject.update().failure {
        return StalenessRecord { error: Some(failure), ..record };
    }
    if let Err(error) = (scenario.apply)(checkout, language) {
        return StalenessRecord { error: Some(format!("the change can't be made: {error}")), ..record };
    }
    let started = Instant::now();
    let first = subject.ask(scenario.task, BUDGET);
    if is_right(&first, scenario) {
        let seconds = started.elapsed().as_secs_f64();
        return StalenessRecord {
            update: Update::Automatic,
            seconds_until_right: Some(seconds),
            error: None,
            ..record
        };
    }
    let text = format!("{}{}", first.stdout, first.stderr).to_lowercase();
    let silently_wrong = first.failure.is_none() && !WARNINGS.iter().any(|warning| text.contains(warning));
    let updated = subject.update();
    let second = subject.ask(scenario.task, BUDGET);
    let seconds = is_right(&second, scenario).then(|| started.elapsed().as_secs_f64());
    StalenessRecord {
        seconds_until_right: seconds,
        silently_wrong,
        error: updated.failure.or(second.failure),
        ..record
    }
}

/// Returns the record of a change whose answer is never right.
fn unmeasured(system: &System, repository: &str, scenario: &Scenario, failure: String) -> StalenessRecord {
    StalenessRecord {
        system: system.name.clone(),
        repository: repository.to_owned(),
        change: scenario.change,
        update: Update::Command,
        seconds_until_right: None,
        silently_wrong: false,
        error: Some(failure),
    }
}

fn is_right(answer: &Finished, scenario: &Scenario) -> bool {
    let contains = |text: &&&str| format!(" {}", answer.stdout.replace('\n', "\n ")).contains(**text);
    answer.failure.is_none() && scenario.present.iter().all(|text| contains(&text)) && {
        !scenario.absent.iter().any(|text| contains(&text))
    }
}

/// Copies the repository without its history and adds the files, with a branch that has one file more.
fn generate(source: &Path, root: &Path, language: Language) -> std::io::Result<()> {
    remove_folder(root)?;
    copy_folder(source, root)?;
    remove_folder(&root.join(".git"))?;
    for (name, functions) in FILES {
        write(root, language, name, functions)?;
    }
    git(root, &["init", "--quiet", "--initial-branch=main"])?;
    commit(root)?;
    git(root, &["checkout", "--quiet", "-b", "discounts"])?;
    write(root, language, "discounts", &["grant_seasonal_discount"])?;
    commit(root)?;
    git(root, &["checkout", "--quiet", "main"])
}

fn write(root: &Path, language: Language, name: &str, functions: &[&str]) -> std::io::Result<()> {
    fs::write(root.join(language.file(name)), functions.iter().map(|name| language.function(name)).collect::<String>())
}

fn commit(root: &Path) -> std::io::Result<()> {
    git(root, &["add", "--all"])?;
    let identity = ["-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost"];
    git(root, &[&identity[..], &["commit", "--quiet", "--no-verify", "-m", "state"]].concat())
}

fn git(root: &Path, arguments: &[&str]) -> std::io::Result<()> {
    let output = Command::new("git").args(arguments).current_dir(root).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::runner::tests::plan;

    #[test]
    fn system_that_reads_the_files_is_right_at_once() {
        let temporary = tempfile::tempdir().unwrap();
        let mut plan = plan(temporary.path(), "true");
        let script = "grep -rn --include=*.py . {repo}";
        plan.systems[0].query.command = ["sh", "-c", script].map(str::to_owned).to_vec();
        plan.systems[0].updates = true;
        let folder = RunFolder::open(&temporary.path().join("run")).unwrap();
        run(&plan, &folder, &|_| {}).unwrap();
        let records: Vec<StalenessRecord> = folder.read(file::STALENESS).unwrap();
        assert_eq!(records.len(), SCENARIOS.len());
        for record in &records {
            assert!(record.seconds_until_right.is_some(), "{record:?}");
            assert_eq!(
                (record.update, record.silently_wrong, record.repository.as_str()),
                (Update::Automatic, false, "shop")
            );
        }
    }

    #[test]
    fn system_that_never_looks_again_is_silently_wrong() {
        let temporary = tempfile::tempdir().unwrap();
        let mut plan = plan(temporary.path(), "true");
        plan.systems[0].updates = true;
        let folder = RunFolder::open(&temporary.path().join("run")).unwrap();
        run(&plan, &folder, &|_| {}).unwrap();
        let records: Vec<StalenessRecord> = folder.read(file::STALENESS).unwrap();
        let rename = &records[0];
        assert_eq!((rename.seconds_until_right, rename.silently_wrong), (None, true));
    }
}
