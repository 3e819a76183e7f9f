//! Answers to structural questions: text, JSON, lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{by_file, escape, json, location, rounded, scoped_name};
use crate::model::{
    Access, Answer, AnswerRow, AnswerStep, EdgeType, FieldAccess, Meaning, Mention, Occurrence, Question, Repositories,
    StepEnd, Symbol, SymbolKind,
};
use crate::text::display::thousands;

/// Confidence below which it is shown.
const CERTAIN: f32 = 0.9;

/// Renders an answer as text for people: a heading with counts, then one line a symbol.
pub fn text(answer: &Answer, columns: Option<usize>) -> String {
    let mentions = mentions(answer).map(|mentions| format!("{mentions} (`--unresolved` lists them)\n"));
    let mut text = heading(answer) + "\n";
    match answer.question {
        Question::Path { .. } => push_path(&mut text, answer),
        _ => push_rows(&mut text, answer, columns),
    }
    match answer.total.saturating_sub(answer.rows.len()) {
        more @ 1.. if !matches!(answer.question, Question::Path { .. }) => {
            text.push_str(&format!("… {} more, farther or less certain\n", thousands(more)));
        }
        _ => (),
    }
    for note in &answer.notes {
        text.push_str(&format!("note: {}\n", escape::one_line(note)));
    }
    text + &mentions.unwrap_or_default() + &commands(answer, "")
}

/// Limits of the commands in text, and of the characters of one; JSON has all of them.
const MAX_COMMANDS: usize = 3;
const MAX_COMMAND: usize = 400;

/// Returns whether a command can be read; one that names many tests is too long.
pub fn is_readable(command: &str) -> bool {
    command.chars().count() <= MAX_COMMAND
}

/// Returns the command that runs the tests of an answer if there is one that can be read.
pub fn command(answer: &Answer) -> Option<&str> {
    let first = answer.commands.first().filter(|first| is_readable(first));
    first.or(answer.file_commands.first()).map(String::as_str)
}

/// Returns a line for each of the first commands that run the tests of an answer, and of those that run the files of others: of
/// tests that name the subject or, where a command is too long, of the nearest.
pub fn commands(answer: &Answer, indent: &str) -> String {
    let line = |command: &String| format!("{indent}run: {}\n", escape::one_line(command));
    let shown: Vec<&String> =
        answer.commands.iter().filter(|command| is_readable(command)).take(MAX_COMMANDS).collect();
    let mut text: String = shown.iter().map(|command| line(command)).collect();
    let are_readable = answer.commands.iter().all(|command| is_readable(command));
    let which = if are_readable { "tests that name it" } else { "the nearest" };
    for command in &answer.file_commands {
        text.push_str(&format!("{indent}run ({which}): {}\n", escape::one_line(command)));
    }
    if let more @ 1.. = answer.commands.len() - shown.len()
        && answer.file_commands.is_empty()
    {
        text.push_str(&format!("{indent}run: {} (`knowing tests --format commands`)\n", count(more, "longer command")));
    }
    text
}

/// Returns how many lines name the subject without being a known use of it, by what the name means there; `None` if
/// there are none.
pub fn mentions(answer: &Answer) -> Option<String> {
    let number = |meaning| answer.mentions.iter().filter(|mention| mention.meaning == meaning).count();
    let names: BTreeSet<&str> = answer.subjects.iter().map(|subject| subject.name.as_str()).collect();
    let names: Vec<String> = names.into_iter().take(3).map(|name| format!("`{}`", escape::one_line(name))).collect();
    let (names, mut parts) = (names.join(", "), Vec::new());
    for meaning in Meaning::ALL {
        let number = number(meaning);
        if number == 0 {
            continue;
        }
        let lines = if number == 1 { "1 line".to_owned() } else { format!("{} lines", thousands(number)) };
        let plural = |one: &'static str, several: &'static str| if number == 1 { one } else { several };
        let name = plural("names", "name");
        let names = if parts.is_empty() { names.as_str() } else { "it" };
        parts.push(match meaning {
            Meaning::Unresolved if answer.total > 0 => {
                format!("not resolved: {} {name} {names}", lines.replace(' ', " more "))
            }
            Meaning::Unresolved => format!("not resolved: {lines} {name} {names}"),
            Meaning::Other => format!("{lines} {} {names} for something else{}", plural("has", "have"), meant(answer)),
            Meaning::Definition => {
                let others = plural("other definition has", "other definitions have");
                format!("{} {others} {names}", thousands(number))
            }
            Meaning::Code => format!("{lines} {} {names} in other code", plural("has", "have")),
            Meaning::Text => format!("{lines} {} {names} in comments or texts", plural("has", "have")),
            Meaning::LeftOut => format!("{lines} {} {names} in files that are not indexed", plural("has", "have")),
        });
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Returns how many lines name the subject and are not resolved; `None` if there are none.
pub fn unresolved_users(answer: &Answer) -> Option<String> {
    let lines = answer.mentions.iter().filter(|mention| mention.meaning == Meaning::Unresolved).count();
    let name = escape::one_line(&answer.subjects.first()?.name);
    let (line, names) = if lines == 1 { ("line", "names") } else { ("lines", "name") };
    let more = if answer.total > 0 { "more " } else { "" };
    (lines > 0).then(|| format!("{} {more}{line} {names} `{name}`, not resolved", thousands(lines)))
}

/// Returns the symbols of the same name that lines mean, in brackets.
fn meant(answer: &Answer) -> String {
    let names: Vec<String> =
        answer.meant.iter().take(MAX_MEANT).map(|name| format!("`{}`", escape::one_line(name))).collect();
    let more = if answer.meant.len() > MAX_MEANT { " …" } else { "" };
    if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) }
}

/// Limit of the symbols of the same name that are listed.
const MAX_MEANT: usize = 3;

/// Renders the lines that name the subject without being a known use of it, each as a location and its text.
pub fn mention_lines(answer: &Answer) -> String {
    answer.mentions.iter().map(|mention| mention_line(answer, mention)).collect()
}

fn mention_line(answer: &Answer, mention: &Mention) -> String {
    let file = escape::one_line(&answer.repositories.shown_file(&mention.file));
    format!("{}: {}{}\n", location(&file, mention.line), escape::one_line(&mention.text), meaning_of(mention))
}

/// Returns what the name means in a line, in brackets after it.
pub(super) fn meaning_of(mention: &Mention) -> String {
    match mention.meaning {
        Meaning::Unresolved => String::new(),
        meaning => format!("  ({})", meaning.phrase()),
    }
}

/// Returns what was asked, and the counts of the answer.
pub fn heading(answer: &Answer) -> String {
    let title = escape::one_line(&answer.question.title());
    let subject = match (&answer.question, answer.subjects.as_slice()) {
        (Question::Path { .. } | Question::Lines { .. } | Question::Choices { .. }, _) => String::new(),
        (_, [subject]) if !answer.question.is_of_diff() => {
            let name = scoped_name(subject);
            // Who asked by a location is told what is there.
            let named = if title.contains(&name) { String::new() } else { format!("{}, ", escape::one_line(&name)) };
            format!(" ({named}{} {})", subject.kind.name(), symbol_location(answer, subject))
        }
        (_, subjects) => format!(" ({})", count(subjects.len(), "changed symbol")),
    };
    format!("{title}{subject}: {}", counts(answer))
}

/// Returns the numbers of symbols, of tests among them, and of uncertain ones.
pub fn counts(answer: &Answer) -> String {
    if let Question::Path { .. } = answer.question {
        let steps = answer.rows.last().map(|row| row.path.len());
        return steps.map_or_else(
            || "none known; callbacks and calls that are not resolved may lead there".to_owned(),
            |steps| count(steps, "step"),
        );
    }
    if answer.total == 0 {
        let is_certain = answer.mentions.is_empty() && !answer.may_have_users;
        return if is_certain { "none" } else { "none known" }.to_owned();
    }
    if let (Question::Choices { .. }, [row, ..]) = (&answer.question, &answer.rows[..]) {
        let task = escape::one_line(row.text.as_deref().unwrap_or_default());
        return format!("{} match; ask about one, as in \"{task}\"", count(answer.total, "symbol"));
    }
    let is_tests = matches!(answer.question, Question::Tests { .. });
    let mut parts = vec![count(answer.total, if is_tests { "test" } else { "symbol" })];
    if answer.tests > 0 && !is_tests {
        parts.push(count(answer.tests, "test") + " among them");
    }
    if answer.uncertain > 0 {
        parts.push(format!("{} uncertain", thousands(answer.uncertain)));
    }
    parts.extend(spread(answer));
    parts.join(", ")
}

/// Number of the distances whose symbols are counted; those of the others are counted together.
const MAX_DISTANCES: usize = 3;

/// Returns the numbers of symbols at the nearest distances, if there is more than one distance.
fn spread(answer: &Answer) -> Option<String> {
    let numbers: Vec<(usize, usize)> =
        answer.by_distance.iter().copied().enumerate().filter(|(_, number)| *number > 0).collect();
    let (near, far) = match numbers.len() {
        0 | 1 => return None,
        count if count <= MAX_DISTANCES => (&numbers[..], &[][..]),
        _ => numbers.split_at(MAX_DISTANCES - 1),
    };
    let near = near.iter().map(|(distance, number)| match distance {
        0 => format!("{} {}", thousands(*number), nearest(answer)),
        distance => format!("{} at {distance}", thousands(*number)),
    });
    let far: usize = far.iter().map(|(_, number)| number).sum();
    let far = (far > 0).then(|| format!("{} farther", thousands(far)));
    Some(format!("by distance: {}", near.chain(far).collect::<Vec<_>>().join(", ")))
}

/// Returns the words for the place of a symbol that uses nothing to be in an answer.
fn nearest(answer: &Answer) -> &'static str {
    if answer.question.is_of_diff() { "in the changes" } else { "around it" }
}

/// Returns the edges between a row's symbol and the next one on the way to the subject, such as `calls, line 12` or `calls
/// run`; from the subject, or along a path, all of them: `calls run → calls Engine.start`.
pub fn relation(answer: &Answer, row: &AnswerRow) -> String {
    let last = row.path.len().saturating_sub(1);
    let is_named = |index: usize, step: &AnswerStep| {
        let is_end = match answer.question {
            Question::Callees { .. } | Question::Path { .. } => true,
            _ => answer.subjects.len() == 1 && answer.subjects[0].id == step.to.id,
        };
        index < last || !is_end
    };
    let is_whole = matches!(answer.question, Question::Callees { .. } | Question::Path { .. }) || row.distance < 2;
    let goes_on = |step: &&AnswerStep| is_whole || !(step.forward && step.edge_type.is_use());
    let shown = row.path.len().min(1) + row.path.iter().skip(1).take_while(goes_on).count();
    let steps: Vec<String> = (row.path.iter().take(shown).enumerate())
        .map(|(index, step)| match is_named(index, step) {
            true => format!("{} {}", step.phrase(), escape::one_line(&step.to.name)),
            false => step.phrase().to_owned(),
        })
        .collect();
    let mut text = match (&answer.question, steps.is_empty()) {
        (Question::Lines { .. }, _) => "has it".to_owned(),
        (Question::Choices { .. }, _) => format!("ask \"{}\"", row.text.as_deref().unwrap_or_default()),
        (_, true) if row.distance > 0 => "names what was removed".to_owned(),
        (_, true) => "changed".to_owned(),
        (_, false) => steps.join(" → "),
    };
    if !row.accesses.is_empty() {
        let mut by_access: BTreeMap<Access, Vec<u32>> = BTreeMap::new();
        for access in &row.accesses {
            by_access.entry(access.access).or_default().push(access.line);
        }
        let parts: Vec<String> = by_access
            .into_iter()
            .map(|(access, lines)| format!("{} it, {}", access.verb(), line_numbers(&lines)))
            .collect();
        text = parts.join("; ");
    } else if !row.lines.is_empty() {
        text.push_str(&format!(", {}", line_numbers(&row.lines)));
    }
    match (row.is_certain, row.confidence < CERTAIN) {
        (true, _) => (),
        (false, true) => text.push_str(&format!(" (inferred, {:.2})", row.confidence)),
        (false, false) => text.push_str(" (may run)"),
    }
    text
}

/// Limit of the lines of a row in text; JSON has all of them.
pub(super) const MAX_LINES: usize = 12;

pub(super) fn line_numbers(lines: &[u32]) -> String {
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let shown: Vec<String> = lines.iter().take(MAX_LINES).map(u32::to_string).collect();
    let more = lines.len().saturating_sub(MAX_LINES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{more}", shown.join(", "))
}

fn push_rows(text: &mut String, answer: &Answer, columns: Option<usize>) {
    let cells: Vec<[String; 3]> =
        (answer.rows.iter()).map(|row| [name(&row.symbol), use_place(answer, row).1, relation(answer, row)]).collect();
    let widths = widths(&cells, columns);
    let mut of_tests = Some(by_file::tests_that_name(answer));
    let mut last = None;
    for (row, [name, location, relation]) in answer.rows.iter().zip(&cells) {
        let distance = row.distance;
        if by_file::is_far(distance) {
            text.push_str(&of_tests.take().unwrap_or_default());
        }
        if last.replace(distance) != Some(distance) && has_distances(answer) {
            text.push_str(&format!("{}\n", distance_heading(answer, distance)));
        }
        let line = row.text.as_ref().map_or_else(String::new, |text| format!(": {}", escape::one_line(text)));
        text.push_str(&format!("  {name:0$}  {location:1$}  {relation}{line}\n", widths[0], widths[1]));
    }
    text.push_str(&of_tests.unwrap_or_default());
}

/// Returns whether the rows of an answer are below headings of their distances.
pub(super) fn has_distances(answer: &Answer) -> bool {
    answer.by_distance.len() > 2 || answer.by_distance.iter().filter(|number| **number > 0).count() > 1
}

/// Returns the heading of the rows at a distance.
pub(super) fn distance_heading(answer: &Answer, distance: u32) -> String {
    if distance == 0 { nearest(answer).to_owned() } else { format!("distance {distance}") }
}

/// Returns the line of a row, and its place.
pub(super) fn use_place(answer: &Answer, row: &AnswerRow) -> (u32, String) {
    let line = line_of(answer, row);
    (line, location_at(answer, &row.symbol, line))
}

/// Limit of the width to which a column is padded.
const MAX_WIDTH: usize = 44;

/// Returns the widths to which names and locations are padded: those of all rows, or on a narrow terminal of so many that no
/// row is wider than it for the sake of a longer one.
fn widths(cells: &[[String; 3]], columns: Option<usize>) -> [usize; 2] {
    let rows: Vec<[usize; 3]> = cells.iter().map(|cells| cells.each_ref().map(|cell| cell.chars().count())).collect();
    let widest = |percent: usize| {
        [0, 1].map(|column| {
            let mut all: Vec<usize> = rows.iter().map(|row| row[column]).collect();
            all.sort_unstable();
            all.get((rows.len() * percent / 100).saturating_sub(1)).map_or(0, |width| (*width).min(MAX_WIDTH))
        })
    };
    let Some(columns) = columns else { return widest(100) };
    let is_wider =
        |row: &&[usize; 3], widths: [usize; 2]| GAPS + row[0].max(widths[0]) + row[1].max(widths[1]) + row[2] > columns;
    let wider = |widths: [usize; 2]| rows.iter().filter(|row| is_wider(row, widths)).count();
    let candidates = [100, 90, 75, 50].map(widest);
    candidates.into_iter().min_by_key(|widths| wider(*widths)).unwrap_or_default()
}

/// Blanks of a row before and between its columns.
const GAPS: usize = 6;

pub(super) fn push_path(text: &mut String, answer: &Answer) {
    let Some(row) = answer.rows.last() else { return };
    let mut line = |words: &str, end: &StepEnd, suffix: &str| {
        let (name, location) = (escape::one_line(&end.name), location(&escape::one_line(&end.file), end.line));
        text.push_str(&format!("  {words}{name}  {location}{suffix}\n"));
    };
    if let Some(first) = row.path.first() {
        line("", &first.from, "");
    }
    for step in &row.path {
        let suffix =
            if step.confidence < CERTAIN { format!("  (inferred, {:.2})", step.confidence) } else { String::new() };
        let is_dispatch = step.edge_type == EdgeType::Overrides;
        line(&format!("{} ", step.phrase()), &step.to, if is_dispatch { "  (may run)" } else { &suffix });
    }
}

#[derive(Serialize)]
struct AnswerRecord<'a> {
    question: &'static str,
    title: String,
    subjects: Vec<SymbolRecord<'a>>,
    /// Number of symbols, those beyond the limit included.
    total: usize,
    shown: usize,
    tests: usize,
    uncertain: usize,
    by_distance: &'a [usize],
    rows: Vec<RowRecord<'a>>,
    notes: &'a [String],
    /// Whether something may use the subject that no line by its name shows.
    may_have_users: bool,
    /// Number of lines that name the subject, and of which it is not known what they mean.
    unresolved: usize,
    /// Numbers of the lines that name the subject without being a known use of it, by what the name means there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    mentions: BTreeMap<Meaning, usize>,
    /// The symbols of the same name that such lines mean.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    meant: &'a [String],
    /// The first of these lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unresolved_lines: Vec<MentionRecord<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    commands: &'a [String],
    /// Commands that run whole files: of tests that name the subject or, where one of `commands` is too long to be read, of the
    /// nearest.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    file_commands: &'a [String],
}

/// Limit of the lines in JSON that have the name; their number has none.
const MAX_MENTIONS: usize = 20;

#[derive(Serialize)]
struct MentionRecord<'a> {
    meaning: Meaning,
    file: &'a str,
    line: u32,
    text: &'a str,
    /// Whether its file is one of tests.
    is_test: bool,
}

/// A symbol in the JSON of an answer.
#[derive(Serialize)]
pub struct SymbolRecord<'a> {
    qualified_name: Cow<'a, str>,
    /// The label of its repository, in an answer about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    name: String,
    kind: &'static str,
    file: Cow<'a, str>,
    line: u32,
    signature: &'a str,
    is_test: bool,
}

#[derive(Serialize)]
struct RowRecord<'a> {
    #[serde(flatten)]
    symbol: SymbolRecord<'a>,
    distance: u32,
    certain: bool,
    confidence: f64,
    /// The first line of the use, and where there are more all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    use_line: Option<u32>,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    use_lines: &'a [u32],
    /// Every line of the use of a field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<AccessRecord>,
    path: Vec<StepRecord<'a>>,
}

#[derive(Serialize)]
struct AccessRecord {
    line: u32,
    access: Access,
}

#[derive(Serialize)]
struct StepRecord<'a> {
    from: EndRecord<'a>,
    #[serde(rename = "type")]
    edge_type: &'static str,
    forward: bool,
    to: EndRecord<'a>,
    provenance: &'static str,
    confidence: f64,
}

#[derive(Serialize)]
struct EndRecord<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
}

/// Returns the record of a symbol.
pub fn symbol_record<'a>(repositories: &'a Repositories, symbol: &'a Symbol) -> SymbolRecord<'a> {
    SymbolRecord {
        qualified_name: repositories.qualified_name(symbol),
        repository: repositories.label(symbol),
        name: scoped_name(symbol),
        kind: symbol.kind.name(),
        file: repositories.file(symbol),
        line: symbol.span.name_line,
        signature: &symbol.signature,
        is_test: symbol.is_test,
    }
}

fn step_record(step: &AnswerStep) -> StepRecord<'_> {
    StepRecord {
        from: end_record(&step.from),
        edge_type: step.edge_type.name(),
        forward: step.forward,
        to: end_record(&step.to),
        provenance: step.provenance.name(),
        confidence: rounded(f64::from(step.confidence), 4),
    }
}

fn end_record(end: &StepEnd) -> EndRecord<'_> {
    EndRecord { name: &end.name, file: &end.file, line: end.line }
}

/// Returns the value of the answer's JSON, for clients that embed it.
pub fn record(answer: &Answer) -> impl Serialize {
    let mut mentions: BTreeMap<Meaning, usize> = BTreeMap::new();
    answer.mentions.iter().for_each(|mention| *mentions.entry(mention.meaning).or_default() += 1);
    AnswerRecord {
        question: answer.question.name(),
        title: answer.question.title(),
        subjects: answer.subjects.iter().map(|symbol| symbol_record(&answer.repositories, symbol)).collect(),
        total: answer.total,
        shown: answer.rows.len(),
        tests: answer.tests,
        uncertain: answer.uncertain,
        by_distance: &answer.by_distance,
        rows: (answer.rows.iter())
            .map(|row| RowRecord {
                symbol: symbol_record(&answer.repositories, &row.symbol),
                distance: row.distance,
                certain: row.is_certain,
                confidence: rounded(f64::from(row.confidence), 4),
                use_line: row.lines.first().copied(),
                use_lines: if row.lines.len() > 1 { &row.lines } else { &[] },
                accesses: (row.accesses.iter())
                    .map(|FieldAccess { access, line }| AccessRecord { line: *line, access: *access })
                    .collect(),
                path: row.path.iter().map(step_record).collect(),
            })
            .collect(),
        notes: &answer.notes,
        may_have_users: answer.may_have_users,
        unresolved: mentions.get(&Meaning::Unresolved).copied().unwrap_or_default(),
        mentions,
        meant: &answer.meant,
        unresolved_lines: (answer.listed_mentions().take(MAX_MENTIONS))
            .map(|Mention { meaning, file, line, text, is_test, .. }| MentionRecord {
                meaning: *meaning,
                file,
                line: *line,
                text,
                is_test: *is_test,
            })
            .collect(),
        commands: &answer.commands,
        file_commands: &answer.file_commands,
    }
}

/// Renders an answer as one JSON object.
pub fn json(answer: &Answer) -> String {
    json::line(&record(answer))
}

/// Renders an answer as one location a line, that of the first use where a row has one, with the relation after the name.
/// `columns` are those of the rows' names; symbols without a file have no line.
pub fn lines(answer: &Answer, columns: &[u32]) -> String {
    let rows = answer.rows.iter().filter(|row| !row.symbol.file.is_empty());
    rows.zip(columns)
        .map(|(row, column)| {
            let mut symbol = row.symbol.clone();
            let use_line = use_line(row);
            symbol.span.name_line = use_line.unwrap_or(symbol.span.name_line);
            let column = if use_line.is_some() { 1 } else { *column };
            let place = super::lines::line(&answer.repositories.path(&symbol), &symbol, column);
            format!("{place}  {}\n", relation(answer, row))
        })
        .collect()
}

/// Returns the line of a row: of a file, which has no line of its own, the first that uses the subject.
fn line_of(answer: &Answer, row: &AnswerRow) -> u32 {
    let is_used = matches!(answer.question, Question::Callees { .. });
    match (row.symbol.kind, row.lines.first()) {
        (SymbolKind::File, Some(line)) if !is_used => *line,
        _ => row.symbol.span.name_line,
    }
}

/// Renders the lines that have a text, the first of `count`.
pub fn occurrences(lines: &[Occurrence], count: usize, names: &Repositories) -> String {
    let plural = if count == 1 { "line has" } else { "lines have" };
    let mut text = format!("{} {plural} the text:\n", thousands(count));
    for Occurrence { file, line, text: source, symbol, .. } in lines {
        let place = location(&escape::one_line(&names.shown_file(file)), *line);
        let within = symbol.as_ref().map_or_else(String::new, |symbol| format!("  in {}", name(symbol)));
        text.push_str(&format!("  {place}{within}: {}\n", escape::one_line(source)));
    }
    if let more @ 1.. = count.saturating_sub(lines.len()) {
        text.push_str(&format!("  … {} more\n", thousands(more)));
    }
    text
}

/// Returns the first line of a row's symbol that uses the subject; `None` where no such line is known.
pub fn use_line(row: &AnswerRow) -> Option<u32> {
    let symbol = &row.symbol;
    let is_user = row.path.first().is_none_or(|step| step.from.id == symbol.id);
    let is_in =
        |line: &u32| symbol.kind == SymbolKind::File || (symbol.span.start_line..=symbol.span.end_line).contains(line);
    row.lines.first().copied().filter(|line| is_user && is_in(line))
}

/// Returns a symbol's name for a line; the code outside definitions for a file.
pub(super) fn name(symbol: &Symbol) -> String {
    escape::one_line(&scoped_name(symbol))
}

fn symbol_location(answer: &Answer, symbol: &Symbol) -> String {
    location_at(answer, symbol, symbol.span.name_line)
}

fn location_at(answer: &Answer, symbol: &Symbol, line: u32) -> String {
    match &*answer.repositories.shown(symbol) {
        "" => "external".to_owned(),
        file => location(&escape::one_line(file), line),
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", thousands(number)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_row_makes_no_other_wider_than_the_terminal() {
        let row = |name: usize, place: usize| ["n".repeat(name), "p".repeat(place), "calls, line 12".to_owned()];
        let mut cells = vec![row(20, 30); 9];
        cells.push(row(60, 30));
        assert_eq!(widths(&cells, None), [44, 30]);
        assert_eq!(widths(&cells, Some(120)), [44, 30]);
        assert_eq!(widths(&cells, Some(80)), [20, 30]);
        assert_eq!(widths(&[], Some(80)), [0, 0]);
    }
}
