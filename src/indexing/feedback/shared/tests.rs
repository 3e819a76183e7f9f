//! Merging in any order, and the bounds of one writer's influence.

use proptest::prelude::*;

use super::{Author, Batch, DEFAULT_WEIGHT, SharedFeedback, Source, WriterLog, merge, pending};
use crate::feedback::{
    Cluster, EventKind, FeedbackEvent, FeedbackState, Moment, Subject, SymbolVote, TaskFeedback, Vote,
};
use crate::model::SymbolId;

const REPOSITORY: &str = "example.org/us/x";

fn author(number: u8) -> Author {
    let (writer, name) = (format!("{number:02x}").repeat(32), format!("writer {number}"));
    Author { writer, secret: [number; 32], name, shares_texts: number.is_multiple_of(2) }
}

fn vote(id: i64, at: i64, task: &str, symbol: u8, vote: Vote) -> FeedbackEvent {
    let subject = Subject {
        id: SymbolId([symbol; 16]),
        qualified_name: format!("{REPOSITORY}://a.py.f{symbol}"),
        package: "a.py".to_owned(),
        package_root: [0; 32],
    };
    FeedbackEvent {
        id,
        batch: id,
        at,
        session: "s".to_owned(),
        kind: EventKind::Vote,
        task: task.to_owned(),
        cluster: Cluster::new(task.split(' ').map(str::to_owned)),
        undone: false,
        votes: vec![SymbolVote { subject, vote }],
        terms: Vec::new(),
    }
}

fn parsed(texts: &[String]) -> Vec<Batch> {
    texts.iter().map(|text| Batch::parse(text, REPOSITORY).unwrap()).collect()
}

fn own<'a>(logs: &'a [WriterLog], author: &Author) -> Option<&'a WriterLog> {
    logs.iter().find(|log| log.writer == author.writer)
}

/// A step of a writer: votes, undoes or redoes an event, or publishes.
#[derive(Debug, Clone)]
enum Step {
    Vote { task: usize, symbol: u8, vote: Vote },
    Toggle { event: usize },
    Publish,
}

fn step() -> impl Strategy<Value = Step> {
    let vote = prop_oneof![Just(Vote::Useful), Just(Vote::NotUseful), Just(Vote::Clear)];
    prop_oneof![
        4 => (0..3_usize, 0..4_u8, vote).prop_map(|(task, symbol, vote)| Step::Vote { task, symbol, vote }),
        2 => (0..10_usize).prop_map(|event| Step::Toggle { event }),
        2 => Just(Step::Publish),
    ]
}

const TASKS: [&str; 3] = ["session cookie expires", "pay invoice twice", "session cookie lost"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Five writers act in any order; whoever has all batches, in any order and some of them twice, has the same logs,
    /// which are those of the journals.
    #[test]
    fn every_order_of_batches_gives_the_same_state(
        steps in prop::collection::vec((0..5_u8, step()), 0..120),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut journals: Vec<Vec<FeedbackEvent>> = vec![Vec::new(); 5];
        let mut texts: Vec<String> = Vec::new();
        let publish = |writer: u8, journal: &[FeedbackEvent], texts: &mut Vec<String>| {
            let logs = merge(&parsed(texts));
            texts.extend(pending(&author(writer), REPOSITORY, own(&logs, &author(writer)), journal));
        };
        for (at, (writer, step)) in (1..).zip(&steps) {
            let journal = &mut journals[*writer as usize];
            match step {
                Step::Vote { task, symbol, vote: given } => {
                    let id = journal.len() as i64 + 1;
                    // Some happen within the same second.
                    journal.push(vote(id, at / 4, TASKS[*task], *symbol, *given));
                }
                Step::Toggle { event } => {
                    let count = journal.len();
                    journal.iter_mut().skip(event % count.max(1)).take(1).for_each(|event| event.undone = !event.undone);
                }
                Step::Publish => publish(*writer, journal, &mut texts),
            }
        }
        for (writer, journal) in (0..).zip(&journals) {
            publish(writer, journal, &mut texts);
        }
        let expected = merge(&parsed(&texts));
        for (writer, journal) in (0..).zip(&journals) {
            prop_assert!(pending(&author(writer), REPOSITORY, own(&expected, &author(writer)), journal).is_empty());
            let active = |events: &[FeedbackEvent]| events.iter().filter(|event| !event.undone).count();
            let log = own(&expected, &author(writer));
            prop_assert_eq!(log.map_or(0, |log| active(&log.events)), active(journal));
        }
        // Another machine: some batches first, then all in another order, with repetitions.
        let mut received: Vec<String> = Vec::new();
        for index in &order {
            if !texts.is_empty() {
                received.push(texts[index.index(texts.len())].clone());
            }
        }
        let partial = merge(&parsed(&received));
        prop_assert!(partial.len() <= expected.len());
        let start = cut.index(texts.len().max(1)).min(texts.len());
        received.extend_from_slice(&texts[start..]);
        received.extend_from_slice(&texts[..start]);
        prop_assert_eq!(merge(&parsed(&received)), expected);
    }
}

#[test]
fn a_withdrawn_event_stays_withdrawn_when_it_is_received_again() {
    let mut journal = vec![vote(1, 1, TASKS[0], 1, Vote::Useful)];
    let first = pending(&author(1), REPOSITORY, None, &journal);
    journal[0].undone = true;
    let logs = merge(&parsed(&first));
    let second = pending(&author(1), REPOSITORY, logs.first(), &journal);
    assert_eq!((first.len(), second.len()), (1, 1));
    // The first batch again, under a later number, as a copied machine would publish it.
    let again = first[0].replacen("\"number\":1", "\"number\":9", 1);
    for texts in [[&first[0], &second[0], &again], [&second[0], &again, &first[0]], [&again, &first[0], &second[0]]] {
        let batches = parsed(&texts.map(String::clone));
        assert!(merge(&batches)[0].events.iter().all(|event| event.undone));
    }
}

#[test]
fn texts_and_keywords_are_hidden_unless_allowed() {
    let journal = [vote(1, 1, "secret merger paperwork", 1, Vote::Useful)];
    let hidden = pending(&author(1), REPOSITORY, None, &journal).concat();
    for word in ["secret", "merger", "paperwork"] {
        assert!(!hidden.contains(word), "{hidden}");
    }
    let shown = pending(&author(2), REPOSITORY, None, &journal).concat();
    assert!(shown.contains("secret merger paperwork"));
    assert_ne!(hidden.lines().nth(1).unwrap().len(), shown.lines().nth(1).unwrap().len());
}

#[test]
fn a_batch_about_something_else_is_refused() {
    let text = pending(&author(1), REPOSITORY, None, &[vote(1, 1, TASKS[0], 1, Vote::Useful)]).remove(0);
    assert!(Batch::parse(&text, REPOSITORY).is_ok());
    for (right, wrong) in [
        ("\"repository\":\"example.org/us/x\"", "\"repository\":\"example.org/us/y\""),
        ("\"event\":\"vote\"", "\"event\":\"edit\""),
        ("example.org/us/x://a.py", "example.org/us/z://a.py"),
        ("\"op\":\"add\"", "\"op\":\"grant\""),
        ("\"vote\":1", "\"vote\":9"),
    ] {
        assert!(text.contains(right), "{text}");
        assert!(Batch::parse(&text.replacen(right, wrong, 1), REPOSITORY).is_err(), "{wrong}");
    }
    for end in 0..text.len() {
        drop(Batch::parse(&text[..end], REPOSITORY));
    }
}

/// Returns the feedback on a task: the user's own journal, and those of others.
fn feedback(journal: &[FeedbackEvent], others: &[(u8, f64, Vec<FeedbackEvent>)], task: &str) -> TaskFeedback {
    let texts =
        |(writer, _, events): &(u8, f64, Vec<FeedbackEvent>)| pending(&author(*writer), REPOSITORY, None, events);
    let logs = merge(&parsed(&others.iter().flat_map(texts).collect::<Vec<String>>()));
    let weight = |log: &WriterLog| others.iter().find(|(writer, ..)| author(*writer).writer == log.writer).unwrap().1;
    let sources = logs.iter().map(|log| Source::new(log, weight(log))).collect();
    let mut state = FeedbackState::fold(journal);
    state.shared = SharedFeedback { repository: REPOSITORY.to_owned(), sources };
    let cluster = Cluster::new(task.split(' ').map(str::to_owned));
    TaskFeedback::for_cluster(&state, &cluster, &Moment::default(), &mut |_| Ok::<bool, ()>(true)).unwrap()
}

fn value(feedback: &TaskFeedback, symbol: u8) -> f64 {
    feedback.symbols.get(&SymbolId([symbol; 16])).map_or(0.0, |symbol| symbol.feedback)
}

#[test]
fn a_hostile_writer_does_not_overrule_many() {
    let honest = |writer| (writer, DEFAULT_WEIGHT, vec![vote(1, 1, TASKS[0], 1, Vote::Useful)]);
    // The hostile one votes a thousand times, in a thousand sessions, against the right symbol and for all others.
    let hostile: Vec<FeedbackEvent> = (0..1_000)
        .map(|number| {
            let (symbol, given) =
                if number % 2 == 0 { (1, Vote::NotUseful) } else { ((number % 199) as u8 + 2, Vote::Useful) };
            FeedbackEvent { session: format!("s{number}"), ..vote(number, number, TASKS[0], symbol, given) }
        })
        .collect();
    let others = [honest(1), honest(2), honest(3), (9, DEFAULT_WEIGHT, hostile)];
    let poisoned = feedback(&[], &others, TASKS[0]);
    assert_eq!(value(&poisoned, 1), 0.5, "three for it, one against it");
    let promoted: Vec<f64> = (2..=200).map(|symbol| value(&poisoned, symbol)).filter(|value| *value > 0.0).collect();
    assert!(promoted.len() <= 20 && promoted.iter().all(|value| *value <= DEFAULT_WEIGHT), "{promoted:?}");
    assert!(poisoned.symbols.values().all(|symbol| symbol.learned == 0.0 || symbol.feedback > 0.0));
    let learned = poisoned.symbols.iter().filter(|(id, symbol)| id.0[0] != 1 && symbol.learned > 0.0).count();
    assert_eq!(learned, 0, "one writer alone teaches no term");

    let muted = feedback(&[], &[honest(1), (9, 0.0, others[3].2.clone())], TASKS[0]);
    assert_eq!(muted.symbols.len(), 1);
    let own = [vote(1, 1, TASKS[0], 1, Vote::Useful)];
    assert_eq!(value(&feedback(&own, &others[3..], TASKS[0]), 1), 1.0, "the user's own vote is the last word");
}

#[test]
fn two_persons_teach_a_term_and_one_does_not() {
    let said = |writer| (writer, DEFAULT_WEIGHT, vec![vote(1, 1, TASKS[0], 1, Vote::Useful)]);
    let learned = |journal: &[FeedbackEvent], others: &[(u8, f64, Vec<FeedbackEvent>)]| {
        feedback(journal, others, "cookie").symbols.get(&SymbolId([1; 16])).map_or(0.0, |symbol| symbol.learned)
    };
    assert_eq!(learned(&[], &[said(1)]), 0.0);
    assert!(learned(&[], &[said(1), said(2)]) > 0.0);
    assert!(learned(&[vote(1, 1, TASKS[0], 1, Vote::Useful)], &[said(1)]) > 0.0);
}

#[test]
fn a_vote_applies_to_similar_tasks_in_proportion() {
    let others = [(1, DEFAULT_WEIGHT, vec![vote(1, 1, "session cookie expires early", 1, Vote::Useful)])];
    assert_eq!(value(&feedback(&[], &others, "early session cookie expires"), 1), 0.5);
    assert_eq!(value(&feedback(&[], &others, "session cookie lost again"), 1), 0.25);
    assert_eq!(value(&feedback(&[], &others, "pay invoice"), 1), 0.0);
}
