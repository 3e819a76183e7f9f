//! Staleness: the checkout changes, and the time until a system's answer is right again.
//!
//! The repository is generated, so that each change has one right answer. No task contains the identifier that is asked
//! for, because some systems print the task.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::folder::RunFolder;
use super::process::Finished;
use super::record::{Change, StalenessRecord, Update, file};
use super::runner::{Plan, RunError};
use super::subject::Subject;
use super::system::System;

/// The repository's name in a run.
pub const REPOSITORY: &str = "staleness";
/// Budget of the answers, in tokens.
const BUDGET: usize = 5_000;
/// Words by which a system says that its index is old.
const WARNINGS: [&str; 6] = ["stale", "out of date", "outdated", "changed since", "re-index", "reindex"];

/// The files of the repository: path, functions.
const FILES: [(&str, &[&str]); 4] = [
    ("billing.py", &["settle_invoice_batch", "print_invoice_page"]),
    ("ledger.py", &["rebuild_balance_ledger", "open_balance_period"]),
    ("refunds.py", &["refund_broken_order", "list_refund_reasons"]),
    ("orders.py", &["place_customer_order", "cancel_customer_order"]),
];

/// A change, the task that asks for what it changed, and the right answer.
struct Scenario {
    change: Change,
    task: &'static str,
    /// Texts that a right answer contains.
    present: &'static [&'static str],
    /// Texts that a right answer does not contain.
    absent: &'static [&'static str],
    apply: fn(&Path) -> std::io::Result<()>,
}

const SCENARIOS: [Scenario; 5] = [
    Scenario {
        change: Change::Rename,
        task: "close the invoice batch",
        present: &["close_invoice_batch"],
        absent: &["settle_invoice_batch"],
        apply: |root| write(root, "billing.py", &["close_invoice_batch", "print_invoice_page"]),
    },
    Scenario {
        change: Change::NewFunction,
        task: "archive the order of a customer",
        present: &["archive_customer_order"],
        absent: &[],
        apply: |root| {
            write(root, "orders.py", &["place_customer_order", "cancel_customer_order", "archive_customer_order"])
        },
    },
    Scenario {
        change: Change::MovedFile,
        task: "rebuild the ledger of the balance",
        present: &["accounts/ledger.py"],
        absent: &[" ledger.py"],
        apply: |root| {
            fs::create_dir_all(root.join("accounts"))?;
            fs::rename(root.join("ledger.py"), root.join("accounts/ledger.py"))
        },
    },
    Scenario {
        change: Change::DeletedFile,
        task: "refund an order that arrived broken",
        present: &[],
        absent: &["refund_broken_order"],
        apply: |root| fs::remove_file(root.join("refunds.py")),
    },
    Scenario {
        change: Change::BranchSwitch,
        task: "grant a seasonal discount",
        present: &["grant_seasonal_discount"],
        absent: &[],
        apply: |root| git(root, &["checkout", "--quiet", "--force", "discounts"]),
    },
];

/// Measures every system that has no record yet.
///
/// # Errors
/// When the run's folder or the work folder can't be used.
pub fn run(plan: &Plan, folder: &RunFolder, step: &dyn Fn(&str)) -> Result<(), RunError> {
    let known: Vec<StalenessRecord> = folder.read(file::STALENESS)?;
    let source = plan.work.join("staleness-source");
    let failed = |cause| RunError::Work { path: source.clone(), cause };
    generate(&source).map_err(failed)?;
    for system in plan.systems.iter().filter(|system| !known.iter().any(|record| record.system == system.name)) {
        step(&system.name);
        let workplace = plan.workplace(&system.name, REPOSITORY, &source)?;
        let subject = plan.subject(system, &workplace, "python3")?;
        let indexed = subject.index();
        for scenario in &SCENARIOS {
            let record = match &indexed.failure {
                Some(failure) => failure_record(system, scenario, failure.clone()),
                None => measure(&subject, scenario, &workplace.checkout),
            };
            folder.append(file::STALENESS, &record)?;
        }
        workplace.remove()?;
    }
    Ok(())
}

/// Changes the checkout and asks at once; if the answer is wrong, updates the index and asks again.
fn measure(subject: &Subject<'_>, scenario: &Scenario, checkout: &Path) -> StalenessRecord {
    let record = failure_record(subject.system, scenario, String::new());
    // Nothing is left of the changes before.
    if let Some(failure) = subject.update().failure {
        return StalenessRecord { error: Some(failure), ..record };
    }
    if let Err(error) = (scenario.apply)(checkout) {
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

fn failure_record(system: &System, scenario: &Scenario, failure: String) -> StalenessRecord {
    StalenessRecord {
        system: system.name.clone(),
        repository: REPOSITORY.to_owned(),
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

/// Writes the repository, with a branch that has one file more.
fn generate(root: &Path) -> std::io::Result<()> {
    fs::create_dir_all(root)?;
    for (path, functions) in FILES {
        write(root, path, functions)?;
    }
    git(root, &["init", "--quiet", "--initial-branch=main"])?;
    commit(root)?;
    git(root, &["checkout", "--quiet", "-b", "discounts"])?;
    write(root, "discounts.py", &["grant_seasonal_discount"])?;
    commit(root)?;
    git(root, &["checkout", "--quiet", "main"])
}

fn write(root: &Path, path: &str, functions: &[&str]) -> std::io::Result<()> {
    let function = |name: &&str| {
        format!("def {name}(record):\n    \"\"\"{}.\"\"\"\n    return record\n\n\n", name.replace('_', " "))
    };
    fs::write(root.join(path), functions.iter().map(function).collect::<String>())
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
