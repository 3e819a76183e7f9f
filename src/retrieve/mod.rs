//! The recipe from a task to a ranking: a table of contents of SPEC §6. No formula lives here.

mod aliases;
mod candidates;
mod channels;
mod classes;
mod entries;
mod evidence;
mod graph;
mod lessons;
mod long;
mod postings;
mod ranking;
mod seeds;
mod setup;
mod targets;
pub mod tuning;
mod walks;
mod weights;
mod wording;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::learn::Cluster;
use crate::model::Options;
use crate::rank::bm25f::Scores;
use crate::rank::fuse::{RankedList, fuse};
use crate::rank::hits::{HubAuthority, hits};
use crate::rank::intent::kind;
use crate::rank::keywords::Keywords;
use crate::rank::walk::{Walk, random_walk};
use crate::store::{Reader, StoreError};
use crate::vocab::{Profile, Vocabulary};
use channels::lexical::Lexical;
use channels::tiered::Tiered;
use evidence::{Name, Sources};

pub use candidates::is_definition;
use classes::Asked;
pub use classes::ClassHit;
pub use evidence::Groups;
pub use graph::Graph;
pub use lessons::{Lesson, Lessons, Teaching};
pub use ranking::{Channel, Ranked, Ranking, Term};
pub use setup::{Setup, UnknownPart};
pub use targets::definitions;
use walks::Walked;

/// The stages of a task's ranking. Between each two it asks whether it is still wanted.
pub const STAGES: [&str; 4] = ["keywords and words", "names and paths", "walk", "score"];

/// Ranks tasks against one state of the index.
pub struct Retriever<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    groups: &'a Groups,
    vocabulary: &'a Vocabulary,
    profile: &'a Profile,
    options: &'a Options,
    teaching: Teaching,
    setup: Setup,
}

/// What the words of a task find by themselves, whatever was taught, muted or supposed: the costly part of a ranking, which
/// a second one of the same task starts from.
pub struct Gathered {
    keywords: Keywords,
    lexical: Lexical,
    by_words: Vec<u32>,
    tiered: Tiered,
    path: Vec<u32>,
}

/// The ways in (SPEC §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Task,
    Files,
    PullRequest,
}

impl<'a> Retriever<'a> {
    /// A retriever over a store and its loaded graph, with the vocabulary and the profile of its repository; `options` say
    /// what it does without, `teaching` what was taught.
    pub fn new(
        reader: &'a Reader,
        graph: &'a Graph,
        groups: &'a Groups,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
        options: &'a Options,
        teaching: Teaching,
    ) -> Result<Retriever<'a>, UnknownPart> {
        let setup = Setup::new(options)?;
        Ok(Retriever { reader, graph, groups, vocabulary, profile, options, teaching, setup })
    }

    /// Looks for the words of a task; `None` when `cancelled` said so on the way.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn gather(&self, task: &str, cancelled: &dyn Fn() -> bool) -> Result<Option<Gathered>, StoreError> {
        let tuning = &self.setup.tuning;
        let keywords = wording::wording(self.reader, self.vocabulary.words(), task)?;
        let mut lexical = self.lexical(&keywords)?;
        lexical.histories = evidence::histories(self.graph, self.groups, &lexical.terms);
        if evidence::weighs_groups(&self.setup.weights) {
            lexical.groups = self.groups.scores(self.graph, &lexical.terms);
        }
        if cancelled() {
            return Ok(None);
        }
        let count = tuning.scored.max(tuning::LEXICAL_CHANNEL);
        let by_words = candidates::by_words(self.graph, &lexical.scores, count, self.test_factor(&keywords));
        let tiered = channels::tiered::tiered(self.reader, self.graph, &keywords)?;
        let matches = |node: u32| lexical.scores.get(node).coverage > 0.0;
        let path = channels::path::path(self.graph, &keywords, &matches);
        Ok(Some(Gathered { keywords, lexical, by_words, tiered, path }))
    }

    /// Ranks symbols for a task in plain words, of which `gathered` is what [`Retriever::gather`] found; `None` when
    /// `cancelled` said so on the way.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn task(
        &self,
        task: &str,
        gathered: &Gathered,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Ranking>, StoreError> {
        let Gathered { keywords, lexical, by_words, tiered, path } = gathered;
        let tuning = &self.setup.tuning;
        if cancelled() {
            return Ok(None);
        }
        let asked = Asked { task, keywords, lexical: &lexical.scores, options: self.options };
        let classes = self.class_hits(&asked, &tiered.nodes)?;
        let words = by_words.iter().take(tuning::LEXICAL_CHANNEL);
        let mut channels = vec![
            Channel { name: "tiered", weight: tuning.tiered_weight, found: by_rank(&tiered.nodes) },
            Channel {
                name: "bm25",
                weight: tuning.lexical_weight,
                found: words.map(|node| (*node, lexical.scores.get(*node).score)).collect(),
            },
            Channel { name: "path", weight: tuning.path_weight, found: by_rank(path) },
        ];
        let most = tuning::CLASS_CHANNEL_LEAST.max(2 * (channels[0].found.len() + channels[1].found.len()));
        channels.extend(classes::channels(&classes, tuning.class_weight, most));
        let lessons = Lessons::find(self.reader, self.graph, &self.teaching, &Cluster::of(keywords))?;
        channels.extend(lessons.channel(self.graph));
        if tuning.history_weight > 0.0 {
            let found = channels::history::history(self.graph, lexical);
            channels.push(Channel { name: "history", weight: tuning.history_weight, found });
        }
        channels.retain(|channel| channel.weight > 0.0);
        let mut ranking = Ranking {
            preset: self.setup.preset,
            names_code: names_code(keywords),
            kind: Some(kind(task)),
            keywords: keywords.clone(),
            channels,
            classes,
            lessons,
            scored: tuning.scored,
            ..Ranking::default()
        };
        self.walk(&mut ranking, if tuning.path_restart > 0.0 { path } else { &[] })?;
        if cancelled() {
            return Ok(None);
        }
        self.score(&mut ranking, Entry::Task, lexical, by_words, &tiered.named)?;
        ranking.terms.clone_from(&lexical.asked);
        Ok(Some(ranking))
    }

    /// The cluster that a task belongs to: what is learned from it counts for the tasks of clusters like it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn cluster(reader: &Reader, vocabulary: &Vocabulary, task: &str) -> Result<Cluster, StoreError> {
        Ok(Cluster::of(&wording::wording(reader, vocabulary.words(), task)?))
    }

    /// Matches by words alone, best first: what a user sees while the whole pipeline still runs.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn words(&self, task: &str, limit: usize) -> Result<Vec<(u32, f64)>, StoreError> {
        let keywords = wording::wording(self.reader, self.vocabulary.words(), task)?;
        let lexical = self.lexical(&keywords)?;
        let count = limit.max(self.setup.tuning.scored);
        let best = candidates::by_words(self.graph, &lexical.scores, count, self.test_factor(&keywords));
        Ok(best.into_iter().take(limit).map(|node| (node, lexical.scores.get(node).score)).collect())
    }

    fn lexical(&self, keywords: &Keywords) -> Result<Lexical, StoreError> {
        let thesaurus = self.vocabulary.thesaurus();
        channels::lexical::lexical(self.reader, self.graph, keywords, thesaurus, &self.setup.tuning)
    }

    /// What counts of a test for a task.
    fn test_factor(&self, keywords: &Keywords) -> f64 {
        if keywords.about_tests { 1.0 } else { self.setup.tuning.test_factor }
    }

    /// What the vocabulary says of the task, and what the names around the tiers' best say; best first.
    fn class_hits(&self, asked: &Asked<'_>, tiered: &[u32]) -> Result<Vec<ClassHit>, StoreError> {
        let mut hits = classes::class_hits(self.reader, self.graph, self.vocabulary, self.profile, asked)?;
        let aliases = aliases::aliases(self.reader, self.graph, tiered, &asked.keywords.phrases)?.into_iter();
        let is_muted = |hit: &ClassHit| self.options.mutes(&[&hit.concept, hit.layer.name()]);
        hits.extend(aliases.map(|hit| ClassHit { muted: is_muted(&hit), ..hit }));
        classes::sort(&mut hits, self.graph);
        Ok(hits)
    }

    /// Fuses the channels and walks from what may start the walk; `places` start it too, with little weight.
    fn walk(&self, ranking: &mut Ranking, places: &[u32]) -> Result<(), StoreError> {
        let nodes: Vec<Vec<u32>> =
            ranking.channels.iter().map(|channel| channel.found.iter().map(|(node, _)| *node).collect()).collect();
        let lists: Vec<RankedList<'_>> = (ranking.channels.iter().zip(&nodes))
            .map(|(channel, nodes)| RankedList { weight: channel.weight, nodes })
            .collect();
        ranking.fused = fuse(&lists, tuning::FUSION_K, |node| self.graph.tie(node));
        ranking.fused.truncate(tuning::FUSED_CANDIDATES);
        let fused: Vec<u32> = ranking.fused.iter().map(|(node, _)| *node).collect();
        let names = self.names(&fused.iter().chain(places).copied().collect::<Vec<u32>>())?;
        let rule = |node: u32| Some((node, seeds::noise(self.graph, node, names.get(&node))?));
        ranking.noise = fused.iter().filter_map(|node| rule(*node)).collect();
        let places: Vec<u32> = places.iter().copied().filter(|node| rule(*node).is_none()).collect();
        ranking.seeds = seeds::seeds(self.graph, &fused, &places, &ranking.noise, &self.setup.tuning);
        let walked = self.walked(&ranking.seeds);
        (ranking.walk, ranking.hits) = (Arc::clone(&walked.walk), Arc::clone(&walked.hits));
        ranking.walk_floor = tuning::WALK_FLOOR;
        Ok(())
    }

    /// The walk from these seeds, remembered from an earlier ranking or made now.
    fn walked(&self, seeds: &[(u32, f64)]) -> Arc<Walked> {
        self.graph.walks.of(seeds, || self.with_authorities(random_walk(&self.graph.adjacency, seeds, &tuning::WALK)))
    }

    fn with_authorities(&self, walk: Walk) -> Walked {
        Walked { hits: Arc::new(self.authorities(&walk)), walk: Arc::new(walk) }
    }

    /// Scores what words, names, classes or the walk found, as far as the preset lets each of them decide.
    fn score(
        &self,
        ranking: &mut Ranking,
        entry: Entry,
        lexical: &Lexical,
        by_words: &[u32],
        named: &HashMap<u32, f64>,
    ) -> Result<(), StoreError> {
        let Setup { tuning, weights, .. } = &self.setup;
        let (walk, floor) = (&ranking.walk, ranking.walk_floor);
        let (classes, leads) = (classes::values(&ranking.classes), classes::leads(&ranking.classes));
        let walked = if entry == Entry::Task { tuning.walked } else { usize::MAX };
        let by_words = &by_words[..by_words.len().min(tuning.scored)];
        let known: Vec<u32> = match tuning.walk_decides {
            true => leads.keys().copied().collect(),
            false => named.keys().chain(classes.keys()).copied().chain(ranking.lessons.found()).collect(),
        };
        let candidates = candidates::candidates(self.graph, by_words, known.into_iter(), walk, floor, walked);
        let test_factor = self.test_factor(&ranking.keywords);
        let names = self.names(&candidates)?;
        let sources = Sources {
            graph: self.graph,
            groups: self.groups,
            keywords: &ranking.keywords,
            terms: &lexical.terms,
            lexical: &lexical.scores,
            histories: &lexical.histories,
            group_scores: &lexical.groups,
            names: &names,
            named,
            classes: &classes,
            leads: &leads,
            lessons: &ranking.lessons,
            walk,
            hits: &ranking.hits,
            by_words,
            best: best(&lexical.scores),
            seeds: &ranking.seeds,
            ages: &self.ages(&candidates)?,
            counts_callers: entry == Entry::Files,
            test_factor,
        };
        let columns = evidence::columns(&sources, &candidates, weights);
        let channels: Vec<(&str, HashSet<u32>)> = (ranking.channels.iter())
            .map(|channel| (channel.name, channel.found.iter().map(|(node, _)| *node).collect()))
            .collect();
        let channel = |node: u32| channels.iter().find(|(_, nodes)| nodes.contains(&node)).map(|(name, _)| *name);
        let by_word = |node: u32| (lexical.scores.get(node).score > 0.0).then_some("bm25");
        let taught = |node: u32| ranking.lessons.finds(node).then_some("taught");
        let provenance = |node: u32| channel(node).or_else(|| by_word(node)).or_else(|| taught(node)).unwrap_or("walk");
        ranking.symbols = ranking::rank(self.graph, &candidates, &columns, weights, test_factor, ranking, &provenance);
        Ok(())
    }

    /// Seconds between each symbol's last change and the newest commit, where that is known and counts.
    fn ages(&self, nodes: &[u32]) -> Result<HashMap<u32, i64>, StoreError> {
        let mut ages = HashMap::new();
        let newest = if self.setup.weights.has("commit_recency") { self.reader.newest_commit()? } else { None };
        if let Some(newest) = newest {
            for &node in nodes {
                if let Some(changed) = self.reader.last_change(node)? {
                    ages.insert(node, newest - changed);
                }
            }
        }
        Ok(ages)
    }

    fn names(&self, nodes: &[u32]) -> Result<HashMap<u32, Name>, StoreError> {
        let mut names = HashMap::new();
        for &node in nodes {
            if let Some((file, scope, name)) = self.reader.scoped_name(node)? {
                names.insert(node, Name { name, scope, file });
            }
        }
        Ok(names)
    }

    fn authorities(&self, walk: &Walk) -> HashMap<u32, HubAuthority> {
        let mut best: Vec<(u32, f64)> = walk.nodes.iter().map(|walked| (walked.node, walked.score)).collect();
        let order = |a: &(u32, f64), b: &(u32, f64)| {
            b.1.total_cmp(&a.1).then_with(|| self.graph.tie(a.0).cmp(&self.graph.tie(b.0))).then(a.0.cmp(&b.0))
        };
        if tuning::HITS_NODES < best.len() {
            best.select_nth_unstable_by(tuning::HITS_NODES, order);
            best.truncate(tuning::HITS_NODES);
        }
        best.sort_unstable_by(order);
        let nodes: Vec<u32> = best.into_iter().map(|(node, _)| node).collect();
        let scores = hits(&self.graph.adjacency, &nodes, tuning::HITS_ITERATIONS);
        nodes.into_iter().zip(scores).collect()
    }
}

/// A list without scores of its own, scored by rank.
fn by_rank(nodes: &[u32]) -> Vec<(u32, f64)> {
    nodes.iter().enumerate().map(|(rank, node)| (*node, 1.0 / (rank as f64 + 1.0))).collect()
}

/// The best lexical score, or 1 where there is none to divide by.
fn best(lexical: &Scores) -> f64 {
    let best = lexical.found().iter().map(|node| lexical.get(*node).score).fold(0.0, f64::max);
    if best > 0.0 { best } else { 1.0 }
}

/// How far a task names code, from 0 to 1: in full with an identifier in backticks or two written out.
fn names_code(keywords: &Keywords) -> f64 {
    let joined = keywords.joined();
    let written: HashSet<String> =
        keywords.compounds.iter().filter(|name| !joined.contains(*name)).map(|name| name.to_lowercase()).collect();
    if keywords.exact.is_empty() { (written.len() as f64 / tuning::IDENTIFIERS_FULL).min(1.0) } else { 1.0 }
}
