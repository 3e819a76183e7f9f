//! Reports on a small run (`tests/eval/cross/run`).

use super::*;
use crate::cross::record::file;
use crate::cross::run::RunError;

const RUN: &str = include_str!("../../../../tests/eval/cross/run/run.json");
const ANSWERS: &str = include_str!("../../../../tests/eval/cross/run/answers.jsonl");
const INDEXES: &str = include_str!("../../../../tests/eval/cross/run/indexes.jsonl");
const LEARNING: &str = include_str!("../../../../tests/eval/cross/run/learning.jsonl");
const STALENESS: &str = include_str!("../../../../tests/eval/cross/run/staleness.jsonl");
const SCALE: &str = include_str!("../../../../tests/eval/cross/run/scale.jsonl");

fn read(change: impl Fn(&str, &str) -> Option<String>) -> Result<CrossRun, RunError> {
    let files = [
        (file::RUN, RUN),
        (file::ANSWERS, ANSWERS),
        (file::INDEXES, INDEXES),
        (file::LEARNING, LEARNING),
        (file::STALENESS, STALENESS),
        (file::SCALE, SCALE),
    ];
    CrossRun::read(&|name| Ok(files.iter().find(|(file, _)| *file == name).and_then(|(file, text)| change(file, text))))
}

fn run() -> CrossRun {
    read(|_, text| Some(text.to_owned())).unwrap()
}

#[test]
fn markdown_of_a_small_run() {
    insta::assert_snapshot!(report(&run()).markdown);
}

/// Checks that every element is closed in order. Returns the number of elements.
fn assert_balanced(page: &str) -> usize {
    let (mut open, mut count) = (Vec::new(), 0);
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{tag}>");
        } else if !tag.starts_with('!') && !tag.ends_with('/') && name != "meta" {
            open.push(name);
            count += 1;
        }
    }
    assert!(open.is_empty(), "{open:?}");
    count
}

#[test]
fn page_is_complete_in_itself() {
    let page = report(&run()).html;
    assert!(assert_balanced(&page) > 500);
    let external = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for mark in ["http", "src=", "url(", "@import", "<link", "<script", "NaN", "inf"] {
        assert!(!external.contains(mark), "{mark}");
    }
    for (at, _) in page.match_indices("href=\"") {
        let id = page[at + 7..].split('"').next().unwrap();
        assert!(page[at + 6..].starts_with('#') && page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(page.contains("graph &lt;x&gt;") && !page.contains("graph <x>"));
}

#[test]
fn plots_are_files_of_their_own() {
    let report = report(&run());
    let names: Vec<&str> = report.plots.iter().map(|(name, _)| name.as_str()).collect();
    let expected = "tokens latency languages sets recall-orientation recall-issues learning scale-index scale-query \
                    scale-memory scale-database causes";
    assert_eq!(names, expected.split_whitespace().map(|name| format!("{name}.svg")).collect::<Vec<_>>());
    for (name, image) in &report.plots {
        assert_balanced(image);
        assert!(image.contains("<style>") && report.markdown.contains(&format!("{PLOTS}/{name}")), "{name}");
    }
}

#[test]
fn json_has_the_numbers_of_the_tables() {
    let report = report(&run());
    let json: serde_json::Value = serde_json::from_str(&report.json).unwrap();
    assert_eq!((json["label"].as_str(), json["budget"].as_u64()), (Some("cold"), Some(5_000)));
    let groups = json["groups"].as_array().unwrap();
    let find = |group: &str, system: &str| {
        groups.iter().find(|it| it["group"] == group && it["system"] == system).unwrap().clone()
    };
    let own = find("orientation", "knowing");
    let mean = own["measures"]["strict NDCG@10"]["mean"].as_f64().unwrap();
    assert!(report.markdown.contains(&format!("| knowing | {mean:.3} \\[")));
    assert_eq!(find("issues", "words")["errors"], 1);
    assert_eq!(json["tasks"].as_array().unwrap().len(), 3 * 14);
    assert_eq!(json["exponents"].as_array().unwrap().len(), 4, "graph_x has two sizes only");
    assert!(json["comparisons"].as_array().unwrap().iter().all(|it| it["first"] == "knowing"));
}

#[test]
fn report_does_not_depend_on_the_order_of_work() {
    let reversed = read(|name, text| {
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines: Vec<&str> = complete.lines().rev().collect();
        Some(if name == file::RUN { text.to_owned() } else { lines.join("\n") + "\n" })
    });
    assert!(report(&run()) == report(&reversed.unwrap()));
}

#[test]
fn runs_that_differ_in_times_have_reports_that_do() {
    let slower = read(|_, text| Some(text.replace("\"seconds\": 0.", "\"seconds\": 7."))).unwrap();
    let (one, two) = (report(&run()), report(&slower));
    assert!(one.markdown != two.markdown);
    let columns = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
    for (one, two) in one.markdown.lines().zip(two.markdown.lines()).filter(|(one, two)| one != two) {
        let (one, two) = (columns(one), columns(two));
        let different = one.iter().zip(&two).filter(|(one, two)| one != two).count();
        assert!(one.len() == two.len() && different == 1, "{one:?}\n{two:?}");
    }
}

#[test]
fn later_runs_replace_answers_and_keep_their_history() {
    let mut later = run();
    later.runs[0].started = "2026-02-01T00:00:00Z".to_owned();
    later.answers.retain(|answer| answer.system == "knowing");
    later.answers.iter_mut().for_each(|answer| answer.misses.clear());
    later.systems.iter_mut().for_each(|system| system.status = SystemStatus::Absent);
    let joined = CrossRun::join([later, run()]).unwrap();
    assert_eq!((joined.runs.len(), joined.answers.len(), joined.systems.len()), (2, run().answers.len(), 4));
    assert_eq!(joined.runs[1].started, "2026-02-01T00:00:00Z");
    assert!(joined.answers.iter().all(|answer| answer.system != "knowing" || answer.misses.is_empty()));
    assert_eq!(joined.systems[0].status, SystemStatus::Ran, "an absent system does not replace one that ran");
    let report = report(&joined);
    assert!(report.markdown.contains("shares of the causes over time"));
    assert!(!report.markdown.contains("| ranked low | it is"), "the causes of replaced misses are not counted");
    assert!(CrossRun::join([]).is_none());
}

#[test]
fn unusable_runs_are_reported() {
    let message = |name: &'static str, text: Option<&'static str>| {
        let changed = read(|file, old| if file == name { text.map(str::to_owned) } else { Some(old.to_owned()) });
        changed.unwrap_err().to_string()
    };
    assert!(message(file::RUN, None).contains("knowing-eval cross"));
    assert!(message(file::RUN, Some("{}")).starts_with("run.json, line 1: "));
    let interrupted = read(|name, text| match name {
        file::RUN => Some(text.to_owned()),
        _ => Some("{\"system\":\"a\"".to_owned()),
    });
    assert!(interrupted.unwrap_err().to_string().contains("no records yet"));
    assert!(message(file::SCALE, Some("\n{}\n")).starts_with("scale.jsonl, line 2: missing field"));
    let other = read(|_, text| Some(text.replace("\"format\": 1", "\"format\": 9"))).unwrap_err();
    assert_eq!(other.to_string(), "the run has format 9; this program reads format 1");
}

#[test]
fn command_has_no_folders_of_the_machine() {
    let command = "/home/me/bin/knowing-eval cross /home/me/tasks/shop.yaml --out runs/1 --cache /home/me/cache/";
    assert_eq!(without_folders(command), "knowing-eval cross shop.yaml --out runs/1 --cache cache");
    assert_eq!(without_folders("knowing-eval cross /"), "knowing-eval cross /");
}

#[test]
fn run_with_answers_only_has_a_report() {
    let run = read(|name, text| [file::RUN, file::ANSWERS].contains(&name).then(|| text.to_owned())).unwrap();
    let report = report(&run);
    assert!(!report.markdown.contains("## Staleness") && !report.markdown.contains("## Learning"));
    assert_balanced(&report.html);
}

#[test]
fn run_of_sizes_only_has_a_report() {
    let run = read(|name, text| [file::RUN, file::SCALE].contains(&name).then(|| text.to_owned())).unwrap();
    let report = report(&run);
    let headings: Vec<&str> = report.markdown.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["# Cost of context retrieval: 3 systems", "## Systems", "## Growth with size"]);
    assert!(report.markdown.contains("| mall |"));
    assert_balanced(&report.html);
    let frame = Frame::new(&run);
    let number = |name: &str| frame.number(run.systems.iter().find(|system| system.name == name).unwrap());
    assert_eq!((number("knowing"), number("graph_x")), (0, 1), "colors of lines");
}
