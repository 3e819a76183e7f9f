//! Words that votes teach, as the explorer names them.

use knowing::tui::EngineBackend;
use knowing::tui::backend::{Backend, Recorded};
use knowing::tui::effect::Record;
use knowing_retrieval::engine::{Engine, Vote};
use knowing_retrieval::model::Task;

use super::session::shop;

#[test]
fn a_second_vote_with_a_word_says_that_it_was_learned() {
    let folder = shop();
    let engine = Engine::open(&folder.path().join("repository"), Some(&folder.path().join("graph.db"))).unwrap();
    let backend = EngineBackend::new(crate::cli::single(engine));
    backend.index(&|_| {}).unwrap();
    let (mut reader, mut writer) = (backend.reader().unwrap(), backend.feedback_writer().unwrap());
    let mut vote = |task: &str| {
        let pack = reader.rank(&Task::from_text(task), &|| false).unwrap().unwrap();
        let all = pack.symbols.into_iter().chain(pack.omitted);
        let symbol = all.map(|packed| packed.symbol).find(|symbol| symbol.name == "charge").unwrap();
        let (task, symbol) = (task.to_owned(), Box::new(symbol));
        let record = Record::Vote { task, symbol, before: Vote::Clear, after: Vote::Useful };
        match writer.record(&record).unwrap() {
            Recorded::Voted { learned } => learned,
            other => panic!("{other:?}"),
        }
    };
    assert!(vote("the payment is charged when the drawer closes").is_empty(), "one vote teaches no word");
    let learned = vote("charge each payment of the drawer once");
    assert!(learned.contains(&"drawer".to_owned()), "{learned:?}");
}
