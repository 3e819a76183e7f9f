//! Tests of the protocol with a system that is a shell script.

use super::*;
use crate::cross::record::{Cause, file};
use crate::cross::score::Gold;

/// Counts the reported steps.
struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _steps: usize) {}
    fn step(&self, _done: usize, _next: &str) {}
}

/// A system that prints three lines and appends one to a log whenever it is asked.
fn system(log: &Path, index: &str) -> System {
    let text = format!(
        "name = 'script'\ntitle = 'Script'\nversion = '1'\nlicense = 'MIT'\nupdates = false\nlearns = false\n\
         gives_scores = false\n[install]\nregistry = 'path'\n[index]\ncommand = ['sh', '-c', '{index}']\n[query]\n\
         command = ['sh', '-c', 'echo x >> {}; echo shop/cart.py:17: total; echo shop/payment.py:8: charge; \
         echo shop/session.py:15: is_expired']\n\
         budget = 'cut'\nadapter = 'patterns'\npatterns = ['(?m)^(?P<path>[^\\n:]+):(?P<line>\\d+):']\n",
        log.display()
    );
    System::parse("script.toml", &text).unwrap()
}

/// Returns a plan with one task about the fixture, and the system.
pub fn plan(folder: &Path, index: &str) -> Plan {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/shop");
    copy_folder(&fixture, &folder.join("corpus/shop")).unwrap();
    std::fs::create_dir_all(folder.join("work/definitions")).unwrap();
    let gold = |symbol: &str| Gold { file: None, symbol: symbol.to_owned() };
    let task = CrossTask {
        set: "orientation",
        repository: "shop".to_owned(),
        id: "shop-1".to_owned(),
        kind: "explore",
        tier: "easy".to_owned(),
        text: "lower the total".to_owned(),
        gold: vec![gold("Cart.total"), gold("Session.is_expired"), gold("Till.open")],
    };
    Plan {
        systems: vec![system(&folder.join("log"), index)],
        tasks: vec![task],
        corpora: vec![folder.join("corpus")],
        budgets: vec![20, 1_000],
        repeats: 2,
        cache: Cache::new(folder.join("cache")),
        work: folder.join("work"),
        programs: Programs { measured: PathBuf::from("sh"), running: PathBuf::from("sh") },
        timeout: Duration::from_secs(60),
    }
}

#[test]
fn answers_are_ranked_cut_and_not_asked_again() {
    let temporary = tempfile::tempdir().unwrap();
    let plan = plan(temporary.path(), "true");
    let mut folder = RunFolder::open(&temporary.path().join("run")).unwrap();
    run(&plan, &mut folder, &Quiet).unwrap();
    let answers: Vec<AnswerRecord> = folder.read(file::ANSWERS).unwrap();
    let shown: Vec<(usize, Label, &[Option<usize>])> =
        answers.iter().map(|answer| (answer.budget, answer.label, answer.strict_ranks.as_slice())).collect();
    let (cut, whole) = (&[Some(1), None, None][..], &[Some(1), Some(3), None][..]);
    let expected =
        [(20, Label::Cold, cut), (20, Label::Warm, cut), (1_000, Label::Cold, whole), (1_000, Label::Warm, whole)];
    assert_eq!(shown, expected);
    let causes: Vec<Cause> = answers[0].misses.iter().map(|miss| miss.cause).collect();
    assert_eq!(causes, [Cause::OverBudget, Cause::LabelDoubtful]);
    assert_eq!(answers[0].ranked, ["shop/cart.py.Cart.total", "shop/payment.py.charge"]);
    let indexes: Vec<IndexRecord> = folder.read(file::INDEXES).unwrap();
    assert_eq!((indexes[0].files, indexes[0].error.as_deref()), (5, None));
    let asked = || std::fs::read_to_string(temporary.path().join("log")).unwrap().lines().count();
    assert_eq!(asked(), 3, "one cold answer and two warm ones serve both budgets");
    let mut folder = RunFolder::open(&temporary.path().join("run")).unwrap();
    run(&plan, &mut folder, &Quiet).unwrap();
    assert_eq!(asked(), 3);
}

#[test]
fn systems_with_one_index_make_it_once() {
    let temporary = tempfile::tempdir().unwrap();
    let made = temporary.path().join("made");
    let mut plan = plan(temporary.path(), &format!("echo made >> {}", made.display()));
    let first = plan.systems[0].clone();
    plan.systems.push(System { name: "other".to_owned(), index_of: Some(first.name.clone()), ..first });
    plan.repeats = 0;
    let mut folder = RunFolder::open(&temporary.path().join("run")).unwrap();
    run(&plan, &mut folder, &Quiet).unwrap();
    assert_eq!(std::fs::read_to_string(made).unwrap(), "made\n");
    let answers: Vec<AnswerRecord> = folder.read(file::ANSWERS).unwrap();
    assert!(answers.iter().all(|answer| answer.label == Label::Cold && answer.error.is_none()));
    let indexes: Vec<IndexRecord> = folder.read(file::INDEXES).unwrap();
    assert_eq!((indexes.len(), indexes[0].seconds.to_bits()), (2, indexes[1].seconds.to_bits()));
    assert!(!plan.work.join("script").join("shop").exists());
}

#[test]
fn system_that_cannot_index_has_answers_with_its_error() {
    let temporary = tempfile::tempdir().unwrap();
    let plan = plan(temporary.path(), "echo no grammar >&2; exit 1");
    let mut folder = RunFolder::open(&temporary.path().join("run")).unwrap();
    run(&plan, &mut folder, &Quiet).unwrap();
    let answers: Vec<AnswerRecord> = folder.read(file::ANSWERS).unwrap();
    assert_eq!(answers.len(), 4);
    assert!(answers[0].error.as_deref().unwrap().contains("no grammar"));
    assert!(answers[0].misses.iter().all(|miss| miss.cause == Cause::NoAnswer));
}

#[test]
fn median_is_the_middle_value() {
    assert_eq!([median(&mut []), median(&mut [3.0, 1.0, 2.0]), median(&mut [1.0, 2.0])], [0.0, 2.0, 1.5]);
}
