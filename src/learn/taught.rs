//! What everything that was taught says of one task.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::journal::{ActKind, Subject};
use super::standing::{Record, Standing};
use super::{Cluster, feedback, session, vocabulary};
use crate::model::SymbolId;

/// When, and in which session, a task is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moment {
    /// Empty outside of any session.
    pub session: String,
    /// Seconds since 1970.
    pub at: i64,
}

/// One record that speaks of a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spoken {
    /// The entry of the journal.
    pub act: i64,
    #[serde(serialize_with = "by_name")]
    pub kind: ActKind,
    pub useful: bool,
    /// A task of the record's cluster.
    pub task: String,
    pub at: i64,
    /// How far that task is like this one.
    pub overlap: f64,
}

/// A keyword of the task that was learned to mean a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnedWord {
    pub keyword: String,
    pub observations: u32,
    pub weight: f64,
}

/// What was taught of one symbol.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lesson {
    /// From -1 to 1.
    pub feedback: f64,
    pub spoken: Vec<Spoken>,
    /// From 0 to 1: the weights of the learned words, over all keywords of the task.
    pub learned: f64,
    pub words: Vec<LearnedWord>,
    /// From 0 to 1.
    pub session: f64,
}

/// What was taught that speaks of one task, by symbol.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Taught {
    pub lessons: HashMap<SymbolId, Lesson>,
    /// Records and words that would speak of the task, if their package were what it was.
    pub expired: usize,
}

impl Taught {
    /// What `standing` says of a task in this cluster. `is_current` tells whether a subject's package still is what it was.
    ///
    /// # Errors
    /// Those of `is_current`.
    pub fn of<E>(
        standing: &Standing,
        cluster: &Cluster,
        moment: &Moment,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<Taught, E> {
        let mut taught = Taught::default();
        if standing.is_empty() {
            return Ok(taught);
        }
        taught.take_feedback(standing, cluster, is_current)?;
        taught.take_words(standing, cluster, is_current)?;
        taught.take_session(standing, moment);
        Ok(taught)
    }

    fn take_feedback<E>(
        &mut self,
        standing: &Standing,
        cluster: &Cluster,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<(), E> {
        let overlaps: Vec<f64> = standing.clusters.iter().map(|known| known.cluster.overlap(cluster)).collect();
        for record in standing.records.iter().filter(|record| overlaps[record.cluster] > 0.0) {
            if !is_current(&record.subject)? {
                self.expired += 1;
                continue;
            }
            let task = standing.clusters[record.cluster].task.clone();
            let &Record { act, kind, useful, at, .. } = record;
            let overlap = overlaps[record.cluster];
            self.lesson(record.subject.id).spoken.push(Spoken { act, kind, useful, task, at, overlap });
        }
        for lesson in self.lessons.values_mut() {
            let signed = |spoken: &Spoken| if spoken.useful { spoken.kind.weight() } else { -spoken.kind.weight() };
            lesson.feedback = feedback::value(lesson.spoken.iter().map(|spoken| (signed(spoken), spoken.overlap)));
        }
        Ok(())
    }

    fn take_words<E>(
        &mut self,
        standing: &Standing,
        cluster: &Cluster,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<(), E> {
        let all = cluster.words().len().max(1) as f64;
        for keyword in cluster.words() {
            for observed in vocabulary::observed(standing, keyword, is_current)? {
                self.expired += usize::from(observed.expired > 0);
                let weight = vocabulary::weight(observed.observations);
                if weight > 0.0 {
                    let lesson = self.lesson(observed.subject.id);
                    let (keyword, observations) = (keyword.clone(), observed.observations);
                    lesson.words.push(LearnedWord { keyword, observations, weight });
                    lesson.learned += weight / all;
                }
            }
        }
        Ok(())
    }

    fn take_session(&mut self, standing: &Standing, moment: &Moment) {
        if moment.session.is_empty() {
            return;
        }
        let Some(symbols) = standing.stamps.get(&moment.session) else { return };
        let last = symbols.iter().flat_map(|stamps| &stamps.at).max().copied().unwrap_or(0);
        for stamps in symbols {
            let value = session::value(&stamps.at, last, moment.at);
            if value > 0.0 {
                self.lesson(stamps.id).session = value;
            }
        }
    }

    fn lesson(&mut self, id: SymbolId) -> &mut Lesson {
        self.lessons.entry(id).or_default()
    }
}

fn by_name<S: Serializer>(kind: &ActKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Act, Judgement, Vote};

    const SYMBOL: SymbolId = SymbolId([1; 16]);

    fn vote(id: i64, task: &str, vote: Vote) -> Act {
        let subject = Subject {
            id: SYMBOL,
            qualified_name: "r://a.py.f".to_owned(),
            package: "a.py".to_owned(),
            package_root: [id as u8; 32],
        };
        Act {
            id,
            batch: id,
            at: id,
            session: "s".to_owned(),
            kind: ActKind::Vote,
            task: task.to_owned(),
            cluster: cluster(task),
            undone: false,
            judgements: vec![Judgement { subject, vote }],
            words: Vec::new(),
        }
    }

    fn cluster(task: &str) -> Cluster {
        Cluster::new(task.split(' ').map(str::to_owned))
    }

    fn lesson(acts: &[Act], task: &str, expired: &[u8]) -> (Lesson, usize) {
        let mut is_current = |subject: &Subject| Ok::<bool, ()>(!expired.contains(&subject.package_root[0]));
        let mut taught = Taught::of(&Standing::of(acts), &cluster(task), &Moment::default(), &mut is_current).unwrap();
        (taught.lessons.remove(&SYMBOL).unwrap_or_default(), taught.expired)
    }

    #[test]
    fn a_vote_counts_for_its_task_and_in_proportion_for_similar_ones() {
        let acts = [vote(1, "session cookie expires early", Vote::NotUseful)];
        assert_eq!(lesson(&acts, "early session cookie expires", &[]).0.feedback, -1.0);
        assert_eq!(lesson(&acts, "session cookie lost again", &[]).0.feedback, -0.5);
        assert_eq!(lesson(&acts, "session lost again today", &[]).0, Lesson::default());
    }

    #[test]
    fn outside_of_any_session_nothing_was_used_just_now() {
        let used = Act { kind: ActKind::Open, session: String::new(), ..vote(1, "session cookie", Vote::Useful) };
        assert_eq!(lesson(&[used], "session cookie", &[]).0.session, 0.0);
    }

    #[test]
    fn nothing_counts_once_its_package_has_changed() {
        let acts = [vote(1, "session cookie", Vote::Useful), vote(2, "session till", Vote::Useful)];
        let (lesson_now, expired) = lesson(&acts, "session cookie", &[]);
        assert_eq!((lesson_now.spoken.len(), expired), (2, 0));
        assert_eq!(lesson_now.words.len(), 1, "`session` was seen twice");
        assert!((lesson_now.learned - 0.15).abs() < 1e-12); // 0.3 over two keywords
        let (lesson_then, expired) = lesson(&acts, "session cookie", &[1]);
        assert_eq!((lesson_then.spoken.len(), lesson_then.words.len()), (1, 0));
        assert!(expired > 0);
    }
}
