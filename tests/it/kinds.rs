//! Small repositories with questions and their whole answers, one for each kind of code that is easy to get wrong.
//!
//! A file of `tests/kinds` has cases of one language:
//!
//! ```text
//! == what the case is about
//! -- path/of/a/file.py
//! its text
//! >> callers name
//! the symbols of the answer; separated by semicolons; ~with a tilde if uncertain
//! ```
//!
//! `none` is an answer without symbols. `query name` answers with kinds: `list type`. `unused name` lists what nothing uses
//! in the files of this name, with the sureness: `sure helper`. `lines name` lists the users with the lines of their uses:
//! `put 3 7`. `accesses name` lists the lines of a field: `put writes 3`.
//! `mentions name` lists the lines with the name of a symbol without callers, and whether something may use it without its
//! name; `none` is a certain *none*.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use knowing_analysis::model::{Provenance, Question, Subject, Symbol};
use knowing_retrieval::engine::Engine;
use knowing_retrieval::engine::inspect;

/// A case: its files, and its questions with their answers.
#[derive(Default)]
struct Case {
    title: String,
    files: Vec<(String, String)>,
    questions: Vec<(String, String)>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            cases.push(Case { title: title.to_owned(), ..Case::default() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if let Some(path) = line.strip_prefix("-- ").filter(|_| case.questions.is_empty()) {
            case.files.push((path.to_owned(), String::new()));
        } else if let Some(question) = line.strip_prefix(">> ") {
            case.questions.push((question.to_owned(), String::new()));
        } else if let Some((_, answer)) = case.questions.last_mut() {
            answer.push_str(line);
        } else if let Some((_, text)) = case.files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    cases
}

fn scoped(symbol: &Symbol) -> String {
    if symbol.scope.is_empty() { symbol.name.clone() } else { format!("{}.{}", symbol.scope, symbol.name) }
}

/// Returns the symbols of an answer; uncertain ones with a tilde.
fn answer(engine: &Engine, question: &str) -> BTreeSet<String> {
    let (verb, of) = question.split_once(' ').unwrap();
    let name = of.to_owned();
    if verb == "query" {
        let found = inspect::find(&engine.reader().unwrap(), of, 20).unwrap().found.into_iter();
        let exact = found.filter(|found| found.exact).map(|found| found.symbol);
        return exact.map(|symbol| format!("{} {}", scoped(&symbol), symbol.kind.name())).collect();
    }
    let ranker = engine.ranker().unwrap();
    let questions = ranker.questions().unwrap();
    if verb == "unused" {
        let unused = questions.unused().unwrap().into_iter().filter(|unused| unused.symbol.file.contains(of));
        return unused.map(|unused| format!("{} {}", unused.sureness.name(), scoped(&unused.symbol))).collect();
    }
    let asked = match verb {
        "callers" | "accesses" | "lines" | "mentions" => Question::Callers { of: name, depth: 1 },
        "callees" => Question::Callees { of: name, depth: 1 },
        "implementations" => Question::Implementations { of: name },
        "impact" => Question::Impact { of: Subject::Symbol(name), depth: Question::UNLIMITED },
        _ => panic!("no question is called {verb}"),
    };
    let answer = questions.ask(&asked, 100);
    let answer = answer.unwrap_or_else(|error| panic!("{question}: {error}"));
    let is_certain = |row: &knowing_analysis::model::AnswerRow| {
        row.is_certain && row.path.iter().all(|step| step.provenance != Provenance::AstInferred)
    };
    if verb == "mentions" {
        let implicit = answer.may_have_users.then(|| "may be used".to_owned());
        let lines = answer.mentions.iter();
        let lines = lines.map(|line| format!("{} {}:{}", line.meaning.phrase(), line.file, line.line));
        return lines.chain(implicit).collect();
    }
    if verb == "lines" {
        let lines = |row: &knowing_analysis::model::AnswerRow| {
            row.lines.iter().map(|line| format!(" {line}")).collect::<String>()
        };
        return answer.rows.iter().map(|row| format!("{}{}", row.symbol.name, lines(row))).collect();
    }
    if verb == "accesses" {
        let accesses = answer.rows.iter().flat_map(|row| row.accesses.iter().map(move |access| (row, access)));
        return accesses
            .map(|(row, access)| format!("{} {} {}", scoped(&row.symbol), access.access.verb(), access.line))
            .collect();
    }
    let rows = answer.rows.iter();
    rows.map(|row| format!("{}{}", if is_certain(row) { "" } else { "~" }, scoped(&row.symbol))).collect()
}

/// Checks all cases of a file.
fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(name);
    let cases = cases(&fs::read_to_string(path).unwrap());
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repository");
        for (path, text) in &case.files {
            let file = root.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let mut engine = Engine::open(&root, Some(&folder.path().join("graph.db"))).unwrap();
        engine.index(false, Some(1), &|_| {}).unwrap();
        assert!(!case.questions.is_empty(), "{}: no question", case.title);
        for (question, expected) in &case.questions {
            let expected: BTreeSet<String> = expected
                .split(';')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty() && name != "none")
                .collect();
            let found = answer(&engine, question);
            if found != expected {
                wrong.push(format!("{}: {question}\n  expected {expected:?}\n  found    {found:?}", case.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! kinds {
    ($($test:ident = $file:literal,)*) => {
        $(#[test]
        fn $test() {
            check($file);
        })*
    };
}

kinds! {
    kinds_of_c_are_answered = "c.txt",
    kinds_of_cpp_are_answered = "cpp.txt",
    kinds_of_csharp_are_answered = "csharp.txt",
    kinds_of_go_are_answered = "go.txt",
    kinds_of_java_are_answered = "java.txt",
    kinds_of_kotlin_are_answered = "kotlin.txt",
    lines_of_uses_are_those_of_the_symbol = "lines.txt",
    kinds_of_markup_are_answered = "markup.txt",
    kinds_of_others_are_answered = "others.txt",
    kinds_of_none_are_answered = "none.txt",
    kinds_of_php_are_answered = "php.txt",
    kinds_of_python_are_answered = "python.txt",
    kinds_of_ruby_are_answered = "ruby.txt",
    kinds_of_rust_are_answered = "rust.txt",
    kinds_of_scala_are_answered = "scala.txt",
    kinds_of_swift_are_answered = "swift.txt",
    kinds_of_typescript_are_answered = "typescript.txt",
    what_nothing_uses_is_sure_likely_or_unknown = "unused.txt",
}
