//! Recognizes tasks that are structural questions, such as `who calls App.run?`.

use crate::model::{Question, Subject};

/// Limit of the words of a question; a longer text is a task.
const MAX_WORDS: usize = 14;

/// Words before a question that change nothing.
const LEADING: [&str; 8] = ["please", "find", "list", "show", "me", "all", "the", "give"];
/// Kinds of symbols, as written before a name.
const BEFORE_NAMES: [&str; 8] = ["the", "function", "method", "class", "type", "struct", "symbol", "interface"];
/// Kinds of symbols, as written after a name: `the Store interface`.
const AFTER_NAMES: [&str; 22] = [
    "function",
    "method",
    "class",
    "type",
    "struct",
    "symbol",
    "interface",
    "trait",
    "protocol",
    "constructor",
    "setting",
    "constant",
    "variable",
    "field",
    "property",
    "attribute",
    "option",
    "parameter",
    "environment",
    "env",
    "var",
    "header",
];

/// Words that stand for what was said before, and are no names.
const PRONOUNS: [&str; 12] =
    ["it", "this", "that", "these", "they", "we", "i", "you", "anything", "something", "anyone", "anybody"];

/// A question with up to two names, instead of `{}`, or a revision, instead of `{rev}`. Words that mean the same are separated by
/// `|`.
type Pattern = (&'static str, fn(Vec<String>) -> Option<Question>);

const PATTERNS: &[Pattern] = &[
    ("what did i|we change and who|what is affected", changes_impact),
    ("what did i|we change since {rev} and who|what is affected", changes_impact),
    ("what changed since {rev}", changes_impact),
    ("what did i|we change since {rev}", changes_impact),
    ("what|who do|does my|our|these|the changes|change affect|break", changes_impact),
    ("what|who do|does my|our|these|the changes|change since {rev} affect|break", changes_impact),
    ("what|who is affected by my|our|these|the changes|change", changes_impact),
    ("what|who is affected by my|our|these|the changes|change since {rev}", changes_impact),
    ("impact of my|our|these|the changes|change", changes_impact),
    ("impact of my|our|these|the changes|change since {rev}", changes_impact),
    ("which|what tests do|should|must|can i|we run for my|our|these|the changes|change|diff", changes_tests),
    (
        "which|what tests do|should|must|can i|we run for my|our|these|the changes|change|diff since {rev}",
        changes_tests,
    ),
    ("which|what tests to run for my|our|these|the changes|change|diff", changes_tests),
    ("which|what tests to run for my|our|these|the changes|change|diff since {rev}", changes_tests),
    ("tests for|of my|our|these|the changes|change|diff", changes_tests),
    ("tests for|of my|our|these|the changes|change|diff since|against {rev}", changes_tests),
    ("who|what calls {}", callers),
    ("callers of {}", callers),
    ("which|what functions|methods|symbols|code|tests|places call|calls {}", callers),
    ("where is|are {} called", callers),
    ("where is|are {} used|referenced", uses),
    ("is {} called|reached|reachable|executed|invoked", callers),
    ("is {} ever|still called|reached|reachable|executed|invoked", callers),
    ("is {} called anywhere|somewhere", callers),
    ("is {} used|referenced|needed|unused|dead", uses),
    ("is {} used|referenced anywhere|somewhere", uses),
    ("is {} still used|referenced|needed", uses),
    ("can|may i|we delete|remove|drop {}", uses),
    ("can|may i|we safely delete|remove|drop {}", uses),
    ("is it safe to delete|remove|drop {}", uses),
    ("where do|does we|i use|call {}", uses),
    ("who|what uses|references|needs {}", uses),
    ("does anything|anyone|something|anybody call|reach|run|invoke|trigger {}", callers),
    ("can anything|anyone|something|anybody call|reach|run|invoke|trigger {}", callers),
    ("where is|are {} set|assigned|written|modified|updated|read|accessed|used", accesses),
    ("where is|are {} flag|option set|read|parsed|defined|used", accesses),
    ("who|what sets|assigns|writes|modifies|updates|reads|accesses {}", accesses),
    ("does anything|anyone|something|anybody use|reference|need {}", uses),
    ("is there any|some code that|which calls {}", callers),
    ("is there any|some code that|which uses|references|needs {}", uses),
    ("are there any callers of {}", callers),
    ("are there any users|uses|usages of {}", uses),
    ("uses|usages|references of|to {}", uses),
    ("who|what implements|extends|overrides|subclasses {}", implementations),
    ("who|what inherits from {}", implementations),
    ("which|what types|classes|structs implement|extend|subclass {}", implementations),
    ("which|what types|classes|structs inherit from {}", implementations),
    ("which|what methods|functions override|implement {}", implementations),
    ("implementations|implementers|implementors|subclasses|subtypes|overrides of {}", implementations),
    ("what does {} call", callees),
    ("callees of {}", callees),
    ("what breaks|happens when|if {} changes|breaks", impact),
    ("what breaks|happens when|if i|we change|touch|edit|delete|remove|rename {}", impact),
    (
        "what breaks|happens when|if i|we change|touch|edit the signature|name|type|behavior|behaviour|body of {}",
        impact,
    ),
    ("what will|would|could break|happen when|if i|we change|touch|edit|delete|remove|rename {}", impact),
    ("what|who is affected by {}", impact),
    ("what|who is affected by changing|editing|touching|removing|deleting|renaming {}", impact),
    ("what|who is affected if|when i|we change|touch|edit|delete|remove|rename {}", impact),
    ("what|who will|would|could be affected by {}", impact),
    ("what|who will|would|could be affected by changing|editing|touching|removing|deleting|renaming {}", impact),
    ("what|who will|would|could be affected if|when i|we change|touch|edit|delete|remove|rename {}", impact),
    ("what depends on {}", impact),
    ("impact of {}", impact),
    ("impact of changing {}", impact),
    ("blast radius of {}", impact),
    ("tests for|of {}", test_scope),
    ("which|what tests cover|test|reach|exercise|use {}", test_scope),
    ("which|what tests do|should|must|can i|we run for {}", test_scope),
    ("which|what tests do|should|must|can i|we run if|when|after i|we change|touch|edit|changed {}", test_scope),
    ("which|what tests do|should|must|can i|we run after changing|touching|editing {}", test_scope),
    ("which|what tests to run for {}", test_scope),
    ("what tests {}", test_scope),
    ("is {} tested|covered", test_scope),
    ("is {} covered by tests", test_scope),
    ("are there tests for|of {}", test_scope),
    ("how does {} reach|call {}", path),
    ("how does {} end up in|at|calling {}", path),
    ("how is {} reached|called from|by {}", path_back),
    ("is {} reachable|reached|called|used from|by|in {}", path_back),
    ("does|can {} call|reach|use {}", path),
    ("does|can {} ever call|reach|use {}", path),
    ("does {} depend on {}", path),
    ("does|can {} end up in|at|calling {}", path),
    ("what|who handles {}", handlers),
    ("which|what function|method|handler|controller|code|view handles {}", handlers),
    ("how do|can i|we|you get from {} to {}", path),
    ("path from {} to {}", path),
    ("what does {} feature|flag|tag enable|gate", flagged),
    ("what does {} feature|flag|tag switch|turn on", flagged),
    ("what does the feature|flag|tag {} enable|gate", flagged),
    ("what does the feature|flag|tag {} switch|turn on", flagged),
    ("what is behind {} feature|flag|tag", flagged),
    ("what is behind the feature|flag|tag {}", flagged),
];

/// Returns the question that a task is, in the words above; `None` for any other task. Whether the names are those of
/// symbols is not known here.
pub fn question(task: &str) -> Option<Question> {
    readings(task).into_iter().next()
}

/// Returns the question that a task is, in one or two readings, the likely one first: a mark at the end can be part of a name,
/// as in `who calls save!`.
pub fn readings(task: &str) -> Vec<Question> {
    let words: Vec<&str> = task.split_whitespace().collect();
    if words.is_empty() || words.len() > MAX_WORDS {
        return Vec::new();
    }
    let leading = words.iter().take_while(|word| is_one_of(word, &LEADING)).count();
    let read = |marks| PATTERNS.iter().find_map(|(pattern, make)| make(names(pattern, &words[leading..], marks)?));
    // A question ends with a question mark anyway, but seldom with an exclamation mark.
    let order = if task.trim_end().ends_with('?') { [Marks::End, Marks::Name] } else { [Marks::Name, Marks::End] };
    let mut readings: Vec<Question> = order.into_iter().filter_map(read).collect();
    readings.dedup();
    readings
}

/// The meaning of a mark behind the last name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// It ends the sentence.
    End,
    /// It is part of the name, as in Ruby.
    Name,
}

/// Returns the names at the positions of `{}` if the words have the form of the pattern.
fn names(pattern: &str, words: &[&str], marks: Marks) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut words = words.iter().peekable();
    for part in pattern.split(' ') {
        if part == "{rev}" {
            names.push(revision(words.next()?)?);
        } else if part == "{}" {
            // A word that is followed by nothing is the name itself.
            let has_article = words.peek().is_some_and(|word| word.eq_ignore_ascii_case("the"));
            while words.peek().is_some_and(|word| is_one_of(word, &BEFORE_NAMES)) && words.len() > 1 {
                words.next();
            }
            let word = words.next().filter(|word| !is_one_of(word.trim_end_matches(END), &PRONOUNS))?;
            // A route is a method and a path: `POST /message`.
            let path = words.next_if(|path| is_method(word) && path.trim_start_matches(QUOTES).starts_with('/'));
            names.push(match path {
                Some(path) => format!("{} {}", name(word, marks)?, name(path, marks)?),
                None => name(word, marks)?,
            });
            let is_kind = |word: &&&str| is_one_of(word.trim_end_matches(END), &AFTER_NAMES);
            while has_article && words.next_if(is_kind).is_some() {}
        } else {
            let word = words.next()?.trim_end_matches(END);
            part.split('|').find(|known| known.eq_ignore_ascii_case(word))?;
        }
    }
    words.next().is_none().then_some(names)
}

/// Marks at the end of a sentence or a part of it.
const END: [char; 4] = ['?', '!', ',', '.'];

/// Marks around a name.
const QUOTES: [char; 3] = ['`', '"', '\''];

/// Returns whether a word has the form of the method of a request, such as `POST`, also below a file: `app.py.POST`.
fn is_method(word: &str) -> bool {
    let word = word.trim_start_matches(QUOTES).rsplit('.').next().unwrap_or_default();
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_uppercase())
}

/// Returns a symbol's name without quotes, parentheses and the end of a sentence.
fn name(word: &str, marks: Marks) -> Option<String> {
    let end = word.trim_end_matches(END);
    let mark = word[end.len()..].chars().next().filter(|mark| marks == Marks::Name && matches!(mark, '?' | '!'));
    let word = &word[..end.len() + mark.map_or(0, char::len_utf8)];
    let word = word.trim_matches(QUOTES);
    let word = word.strip_suffix("()").unwrap_or(word);
    let is_part = |letter: char| letter.is_alphanumeric() || "_.:/#$-\\()*?!<>{}[]".contains(letter);
    let is_name = word.chars().all(is_part) && word.chars().any(char::is_alphabetic);
    is_name.then(|| word.to_owned())
}

/// Returns a revision as git writes it, such as `HEAD~1`, `origin/main`, `v1^{}` or `a..b`.
fn revision(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['?', ',', '.']).trim_matches(QUOTES);
    let is_part = |letter: char| letter.is_alphanumeric() || "_.-/~^@{}:#+!".contains(letter);
    (!word.is_empty() && word.chars().all(is_part)).then(|| word.to_owned())
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn callers(names: Vec<String>) -> Option<Question> {
    names.into_iter().next().map(|of| Question::Callers { of, depth: 1 })
}

fn callees(names: Vec<String>) -> Option<Question> {
    names.into_iter().next().map(|of| Question::Callees { of, depth: 1 })
}

fn impact(names: Vec<String>) -> Option<Question> {
    let of = Subject::Symbol(names.into_iter().next()?);
    Some(Question::Impact { of, depth: Question::UNLIMITED })
}

/// Returns the question for what uses a symbol directly.
fn uses(names: Vec<String>) -> Option<Question> {
    names.into_iter().next().map(|of| Question::Impact { of: Subject::Symbol(of), depth: 1 })
}

/// Returns the question for what reads and writes a symbol. A plain word is rather a subject than a name.
fn accesses(names: Vec<String>) -> Option<Question> {
    let is_name = |name: &String| name.contains(|letter: char| !letter.is_lowercase());
    uses(names.into_iter().filter(is_name).collect())
}

fn implementations(names: Vec<String>) -> Option<Question> {
    names.into_iter().next().map(|of| Question::Implementations { of })
}

/// Returns the question for the code behind a flag.
fn flagged(names: Vec<String>) -> Option<Question> {
    let of = Subject::Symbol(format!("flag:{}", names.into_iter().next()?));
    Some(Question::Impact { of, depth: 1 })
}

fn test_scope(names: Vec<String>) -> Option<Question> {
    names.into_iter().next().map(|of| Question::Tests { of: Subject::Symbol(of) })
}

fn path(names: Vec<String>) -> Option<Question> {
    let [from, to] = names.try_into().ok()?;
    Some(Question::Path { from, to })
}

fn path_back(names: Vec<String>) -> Option<Question> {
    let [to, from] = names.try_into().ok()?;
    Some(Question::Path { from, to })
}

/// Returns the question for what a route runs.
fn handlers(names: Vec<String>) -> Option<Question> {
    let of = names.into_iter().next().filter(|name| name.contains('/'))?;
    Some(Question::Callees { of, depth: 0 })
}

/// The revision with which the changes of a working tree are compared.
const LAST_COMMIT: &str = "HEAD";

fn changes_impact(revisions: Vec<String>) -> Option<Question> {
    Some(Question::Impact { of: since(revisions), depth: Question::UNLIMITED })
}

fn changes_tests(revisions: Vec<String>) -> Option<Question> {
    Some(Question::Tests { of: since(revisions) })
}

/// Returns the changes since a revision, the last commit if none is named.
fn since(revisions: Vec<String>) -> Subject {
    Subject::Diff(revisions.into_iter().next().unwrap_or_else(|| LAST_COMMIT.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{question, readings};

    #[test]
    fn questions_in_plain_words_are_recognized() {
        for (task, title) in [
            ("Who calls `App.run`?", "callers of App.run"),
            ("list all callers of run()", "callers of run"),
            ("what does the function parse_all call?", "callees of parse_all"),
            ("what breaks when Session changes", "impact of Session"),
            ("What breaks if I change src/app.py:12?", "impact of src/app.py:12"),
            ("impact of changing Session::open", "impact of Session::open"),
            ("tests for Session.is_expired", "tests of Session.is_expired"),
            ("Which tests cover the method load?", "tests of load"),
            ("how does main reach Session.open?", "path from main to Session.open"),
            ("path from main to open", "path from main to open"),
            ("who calls type", "callers of type"),
            ("Where is `Client.send` used?", "uses of Client.send"),
            ("which tests do I run for App.run", "tests of App.run"),
            ("Which tests should I run if I change App.run?", "tests of App.run"),
            ("what tests App.run", "tests of App.run"),
            ("is App.run tested?", "tests of App.run"),
            ("what happens if I change App.run", "impact of App.run"),
            ("is App.run used?", "uses of App.run"),
            ("can I delete App.run?", "uses of App.run"),
            ("How do I get from main to App.run?", "path from main to App.run"),
            ("who calls utils.py:156", "callers of utils.py:156"),
            ("who calls POST /message", "callers of POST /message"),
            ("who calls app.py.POST /message", "callers of app.py.POST /message"),
            ("who calls `GET /users/{id}`?", "callers of GET /users/{id}"),
            ("which functions call Client#send?", "callers of Client#send"),
            ("what implements the interface Store", "implementations of Store"),
            ("who overrides (*Base).Load?", "implementations of (*Base).Load"),
            (r"subclasses of App\Models\User", r"implementations of App\Models\User"),
            ("what breaks if I change the signature of App.run?", "impact of App.run"),
            ("who would be affected by changing App.run", "impact of App.run"),
            ("what implements the Store interface?", "implementations of Store"),
            ("who calls the run method", "callers of run"),
            ("is there any code that calls run?", "callers of run"),
            ("does anything call App.run?", "callers of App.run"),
            ("does main call App.run?", "path from main to App.run"),
            ("how does main end up in App.run", "path from main to App.run"),
            ("how is App.run reached from main?", "path from main to App.run"),
            ("what handles GET /owners/find?", "callees of GET /owners/find"),
            ("what did I change, and who is affected?", "impact of the changes since HEAD"),
            ("which tests should I run for my changes?", "tests of the changes since HEAD"),
            ("tests for the changes since main", "tests of the changes since main"),
            ("tests for the changes since HEAD~1", "tests of the changes since HEAD~1"),
            ("tests for my changes against `origin/main`?", "tests of the changes since origin/main"),
            ("which tests should I run for my changes since v1.2^{}?", "tests of the changes since v1.2^{}"),
            ("impact of the changes since HEAD^!", "impact of the changes since HEAD^!"),
            ("what did I change since main@{1}, and who is affected?", "impact of the changes since main@{1}"),
            ("does anything reach App.run?", "callers of App.run"),
            ("is App.run reachable?", "callers of App.run"),
            ("is App.run reachable from main?", "path from main to App.run"),
            ("can main reach App.run", "path from main to App.run"),
            ("does main ever call App.run", "path from main to App.run"),
            ("does `it` call App.run", "path from it to App.run"),
            ("where is App.debug set?", "uses of App.debug"),
            ("where is the MAX_AGE setting read?", "uses of MAX_AGE"),
            ("where is the HOME environment variable used", "uses of HOME"),
            ("where is the leader-elect flag set?", "uses of leader-elect"),
            ("who reads MAX_AGE", "uses of MAX_AGE"),
            ("what does the pcre2 feature switch on?", "uses of flag:pcre2"),
            ("What is behind the flag `new-search`?", "uses of flag:new-search"),
        ] {
            assert_eq!(question(task).map(|question| question.title()).as_deref(), Some(title), "{task}");
        }
    }

    #[test]
    fn other_tasks_are_not_questions() {
        for task in [
            "",
            "who calls",
            "sessions expire too early",
            "who calls the session store when a user logs in",
            "add tests for Session",
            "how does routing work",
            "fix: callers of run get a wrong result",
            "who calls ???",
            "where is the users table created",
            "what uses",
            "what handles errors",
            "the interface is slow",
            "does it call home",
            "what uses it",
            "where is the timeout set",
            "tests for the changes since the last release",
        ] {
            assert_eq!(question(task), None, "{task}");
        }
    }

    #[test]
    fn a_mark_at_the_end_can_be_part_of_a_name() {
        let titles = |task: &str| readings(task).iter().map(|reading| reading.title()).collect::<Vec<_>>();
        assert_eq!(titles("who calls dispatch!"), ["callers of dispatch!", "callers of dispatch"]);
        assert_eq!(titles("who calls valid?"), ["callers of valid", "callers of valid?"]);
        assert_eq!(titles("who calls `dispatch!`?"), ["callers of dispatch!"]);
        assert_eq!(titles("who calls run"), ["callers of run"]);
    }
}
