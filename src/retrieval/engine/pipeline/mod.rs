//! The ranking pipeline: query analysis, candidate generation, fusion, walk, features, score.
//!
//! It is part of the engine because it joins the modules of ranking: `query`, `candidates`, `features` and `rank`. It
//! contains the order of the stages and no formula. [`setup`] applies a task's options to model and tuning.

mod changes;
mod ranking;
mod setup;
mod walks;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use changes::are_touched;
pub use ranking::{Ranked, Ranking};
pub use setup::{Setup, UnknownComponent};
pub use walks::WalkCache;

use crate::candidates::concepts::{self, ConceptQuery, concept_hits};
use crate::candidates::{
    CandidateSets, Channel, FeedbackByNode, FeedbackContext, GenerationOptions, IndexView, Lexical, RankedList, files,
    fuse, generate_candidates, history, lexical, select, test_factor, walk_seeds,
};
use crate::concepts::{Profile, Vocabulary};
use crate::features::{self, FeatureContext};
use crate::feedback::Cluster;
use crate::model::{Intent, NodeId, Options, Posting};
use crate::query::{self, Keywords, Mentions};
use crate::rank::bm25f::Scores;
use crate::rank::hits::{HubAuthority, hits};
use crate::rank::tuning;
use crate::rank::walk::{Walk, random_walk};
use crate::store::{Reader, ScopedName, SearchColumn, StoreError};
use walks::SeededWalk;

/// The stages of a task's ranking, as `knowing-eval --timings` names them. Cancellation is checked between them.
pub const STAGES: [&str; 4] = ["keywords and words", "names and paths", "walk", "score"];

/// Ranks requests against one state of the index.
pub struct Pipeline<'a> {
    index: IndexView<'a>,
    walks: &'a WalkCache,
    vocabulary: &'a Vocabulary,
    profile: &'a Profile,
    options: &'a Options,
    feedback: FeedbackContext,
    setup: Setup,
}

/// The kind of request that a ranking answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryPoint {
    Task,
    Files,
    PullRequest,
}

impl<'a> Pipeline<'a> {
    /// Creates a pipeline over a loaded index, with the vocabulary and the profile of its repository.
    ///
    /// # Errors
    /// When `options` leave out a component of an unknown name.
    pub fn new(
        index: IndexView<'a>,
        walks: &'a WalkCache,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
        options: &'a Options,
        feedback: FeedbackContext,
    ) -> Result<Pipeline<'a>, UnknownComponent> {
        let setup = Setup::new(options)?;
        Ok(Pipeline { index, walks, vocabulary, profile, options, feedback, setup })
    }

    /// Generates the candidates of a task; `None` if `cancelled` returned true.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn generate_candidates(
        &self,
        task: &str,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<CandidateSets>, StoreError> {
        let keywords = self.analyze(task)?;
        let locations = match self.setup.tuning.location_weight > 0.0 {
            true => query::locations(task),
            false => Vec::new(),
        };
        let mentions = match features::MENTION_FEATURES.iter().any(|name| self.computes(name)) {
            true => query::mentions(task, self.vocabulary.words()),
            false => Mentions::default(),
        };
        let is_question = self.intent(task) == Intent::Explore;
        let printed = match self.computes(features::PRINTED_FEATURE) {
            true => query::printed(task, self.vocabulary.words(), is_question),
            false => Vec::new(),
        };
        let options = GenerationOptions {
            locations: &locations,
            mentions: &mentions,
            tuning: &self.setup.tuning,
            is_question,
            printed: &printed,
            reads_commits: features::PAST_FEATURES.iter().any(|name| self.computes(name)),
            reads_comments: is_question && self.computes(features::CITED_FEATURE),
            scores_groups: features::GROUP_FEATURES.iter().any(|name| self.computes(name)),
            sole_name: query::sole_name(task).filter(|_| self.computes(features::EXACT_FEATURE)),
        };
        generate_candidates(self.index, keywords, &options, cancelled)
    }

    /// Ranks symbols for a task from its candidates; `None` if `cancelled` returned true.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn rank_task(
        &self,
        task: &str,
        sets: &CandidateSets,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Ranking>, StoreError> {
        let tuning = &self.setup.tuning;
        if cancelled() {
            return Ok(None);
        }
        let (concepts, feedback, channels) = self.channels(task, sets)?;
        let mut ranking = Ranking {
            intent: Some(self.intent(task)),
            keywords: sets.keywords.clone(),
            channels,
            concepts,
            feedback,
            frames: sets.mentioned.frame_places.clone(),
            scored: tuning.scored,
            ..Ranking::default()
        };
        self.walk(&mut ranking, if tuning.path_restart > 0.0 { &sets.path } else { &[] })?;
        if cancelled() {
            return Ok(None);
        }
        self.score(&mut ranking, EntryPoint::Task, sets)?;
        ranking.terms.clone_from(&sets.lexical.searched);
        Ok(Some(ranking))
    }

    /// Returns the intent of a task, which selects the model.
    fn intent(&self, task: &str) -> Intent {
        self.options.intent.unwrap_or_else(|| query::classify_intent(task))
    }

    /// Returns the concept hits and the feedback of a task, and every channel with a weight.
    fn channels(
        &self,
        task: &str,
        sets: &CandidateSets,
    ) -> Result<(Vec<concepts::ConceptHit>, FeedbackByNode, Vec<Channel>), StoreError> {
        let CandidateSets { keywords, lexical, by_words, tiered, path, located, .. } = sets;
        let (tuning, IndexView { reader, graph, .. }) = (&self.setup.tuning, self.index);
        let words = by_words.iter().take(tuning::LEXICAL_CHANNEL);
        let mut channels = vec![
            Channel { name: "tiered", weight: tuning.tiered_weight, found: reciprocal_ranks(&tiered.nodes) },
            Channel {
                name: "bm25",
                weight: tuning.lexical_weight,
                found: words.map(|node| (*node, lexical.scores.get(*node).score)).collect(),
            },
            Channel { name: "path", weight: tuning.path_weight, found: reciprocal_ranks(path) },
        ];
        let (scores, options) = (&lexical.scores, self.options);
        let query = ConceptQuery { task, keywords, lexical: scores, tiered: &tiered.nodes, options };
        let hits = concept_hits(reader, graph, self.vocabulary, self.profile, &query)?;
        let max_symbols = tuning::CONCEPT_CHANNEL_MIN.max(2 * (channels[0].found.len() + channels[1].found.len()));
        channels.extend(concepts::channels(&hits, tuning.concept_weight, max_symbols));
        let feedback = FeedbackByNode::find(reader, graph, &self.feedback, &query::cluster(keywords))?;
        channels.extend(feedback.channel(graph));
        if tuning.history_weight > 0.0 {
            let found = history::history(graph, lexical);
            channels.push(Channel { name: "history", weight: tuning.history_weight, found });
        }
        if !located.is_empty() {
            channels.insert(0, Channel { name: "location", weight: tuning.location_weight, found: located.clone() });
        }
        channels.retain(|channel| channel.weight > 0.0);
        Ok((hits, feedback, channels))
    }

    /// Returns the cluster of a task. Feedback on a task applies to tasks of similar clusters.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn cluster(reader: &Reader, vocabulary: &Vocabulary, task: &str) -> Result<Cluster, StoreError> {
        Ok(query::cluster(&query::analyze(reader, vocabulary.words(), task)?))
    }

    /// Ranks by the lexical channel alone, best first: a preview while the whole pipeline runs.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn rank_lexical(&self, task: &str, limit: usize) -> Result<Vec<(NodeId, f64)>, StoreError> {
        let (keywords, tuning) = (self.analyze(task)?, &self.setup.tuning);
        let Lexical { scores, .. } = lexical::lexical(self.index, &keywords, tuning)?;
        let count = limit.max(tuning.scored);
        let best = select::by_words(self.index.graph, &scores, count, test_factor(&keywords, tuning));
        Ok(best.into_iter().take(limit).map(|node| (node, scores.get(node).score)).collect())
    }

    /// Returns whether a feature is computed.
    fn computes(&self, feature: &str) -> bool {
        self.options.every_feature || self.setup.model.has(feature)
    }

    /// Returns the keywords of a task. A question's keywords leave out the repository's own name, unless it has no others.
    fn analyze(&self, task: &str) -> Result<Keywords, StoreError> {
        let analyze = |text: &str| query::analyze(self.index.reader, self.vocabulary.words(), text);
        if self.intent(task) == Intent::Explore
            && let Cow::Owned(without) = query::without_own_name(task, |word| self.is_own_name(word))
        {
            let keywords = analyze(&without)?;
            if !keywords.is_empty() {
                return Ok(keywords);
            }
        }
        analyze(task)
    }

    /// Returns whether a word in lower case is the name of the repository, or of one of its few packages. In a
    /// repository of many, the name of a package says where to look.
    fn is_own_name(&self, word: &str) -> bool {
        let IndexView { reader, packages, .. } = self.index;
        files::is_repository(reader.repository(), word)
            || packages.len() <= tuning::OWN_NAMES && files::is_package(packages, word)
    }

    /// Fuses the channels and walks from the seeds. `paths` are added to the seeds with a small weight.
    fn walk(&self, ranking: &mut Ranking, paths: &[NodeId]) -> Result<(), StoreError> {
        let graph = self.index.graph;
        let nodes: Vec<Vec<NodeId>> =
            ranking.channels.iter().map(|channel| channel.found.iter().map(|(node, _)| *node).collect()).collect();
        let lists: Vec<RankedList<'_>> = (ranking.channels.iter().zip(&nodes))
            .map(|(channel, nodes)| RankedList { weight: channel.weight, nodes })
            .collect();
        ranking.fused = fuse(&lists, tuning::FUSION_K, |node| graph.id_prefix(node));
        ranking.fused.truncate(tuning::FUSED_CANDIDATES);
        let fused: Vec<NodeId> = ranking.fused.iter().map(|(node, _)| *node).collect();
        let names = self.names(&fused.iter().chain(paths).copied().collect::<Vec<NodeId>>())?;
        let rule = |node: NodeId| Some((node, walk_seeds::noise(graph, node, names.get(&node))?));
        ranking.noise = fused.iter().filter_map(|node| rule(*node)).collect();
        let paths: Vec<NodeId> = paths.iter().copied().filter(|node| rule(*node).is_none()).collect();
        ranking.seeds = walk_seeds::seeds(graph, &fused, &paths, &ranking.noise, &self.setup.tuning);
        let seeded = self.walk_from(&ranking.seeds);
        (ranking.walk, ranking.hits) = (Arc::clone(&seeded.walk), Arc::clone(&seeded.hits));
        ranking.walk_floor = tuning::WALK_FLOOR;
        Ok(())
    }

    /// Returns the walk from these seeds, cached or computed.
    fn walk_from(&self, seeds: &[(NodeId, f64)]) -> Arc<SeededWalk> {
        let walk = || self.with_hits(random_walk(self.index.graph, seeds, &tuning::WALK));
        self.walks.get(seeds, walk)
    }

    fn with_hits(&self, walk: Walk) -> SeededWalk {
        SeededWalk { hits: Arc::new(self.hits(&walk)), walk: Arc::new(walk) }
    }

    /// Computes the features of the candidates and scores them.
    fn score(&self, ranking: &mut Ranking, entry: EntryPoint, sets: &CandidateSets) -> Result<(), StoreError> {
        let printed = &sets.printed;
        let CandidateSets { lexical, group_scores, by_words, further, tiered, located, mentioned, cited, past, .. } =
            sets;
        let located: HashMap<NodeId, f64> = located.iter().copied().collect();
        let changed: HashMap<NodeId, f64> = match entry {
            EntryPoint::Task => HashMap::new(),
            EntryPoint::Files | EntryPoint::PullRequest => ranking.seeds.iter().copied().collect(),
        };
        let (Setup { tuning, model }, graph) = (&self.setup, self.index.graph);
        let (walk, floor) = (&ranking.walk, ranking.walk_floor);
        let (values, own_values) = (concepts::values(&ranking.concepts), concepts::own_values(&ranking.concepts));
        let leads = concepts::leads(&ranking.concepts);
        let max_walked = if entry == EntryPoint::Task { tuning.walked } else { usize::MAX };
        let by_words = &by_words[..by_words.len().min(tuning.scored)];
        let named = (tiered.named.keys().chain(values.keys()).chain(own_values.keys()).chain(located.keys()).copied())
            .chain(ranking.feedback.candidates())
            .chain(further.iter().copied())
            .chain(mentioned.candidates.iter().chain(printed.keys()).chain(&sets.sole).copied());
        let candidates = select::candidates(graph, by_words, named, walk, floor, max_walked);
        let test_factor = test_factor(&ranking.keywords, tuning);
        let context = FeatureContext {
            graph,
            groups: self.index.groups,
            keywords: &ranking.keywords,
            terms: &lexical.terms,
            lexical: &lexical.scores,
            subject: lexical.subject.as_ref(),
            histories: &lexical.histories,
            cited: &cited.values,
            past,
            printed,
            group_scores,
            names: &self.names(&candidates)?,
            named: &tiered.named,
            exact: &tiered.exact,
            located: &located,
            mentioned,
            concepts: &values,
            own_concepts: &own_values,
            leads: &leads,
            feedback: &ranking.feedback,
            walk,
            hits: &ranking.hits,
            by_words,
            best_score: best_score(&lexical.scores),
            seeds: &ranking.seeds,
            changed: &changed,
            test_factor,
        };
        let features = features::features(&context, &candidates, &|name| self.computes(name));
        let channels: Vec<(&str, HashSet<NodeId>)> = (ranking.channels.iter())
            .map(|channel| (channel.name, channel.found.iter().map(|(node, _)| *node).collect()))
            .collect();
        let channel = |node: NodeId| channels.iter().find(|(_, nodes)| nodes.contains(&node)).map(|(name, _)| *name);
        let by_word = |node: NodeId| (lexical.scores.get(node).score > 0.0).then_some("bm25");
        let by_feedback = |node: NodeId| ranking.feedback.is_candidate(node).then_some("feedback");
        // Of a file that changed, most symbols did not.
        let beside = |node: NodeId| changed.get(&node).is_some_and(|weight| *weight < 1.0).then_some("changed_file");
        let provenance = |node: NodeId| {
            let direct = beside(node).or_else(|| channel(node)).or_else(|| by_word(node));
            direct.or_else(|| by_feedback(node)).unwrap_or("walk")
        };
        ranking.symbols = ranking::rank(graph, &candidates, &features, model, test_factor, ranking, &provenance);
        ranking::put_first(graph, &mut ranking.symbols, &not_rejected(&sets.sole, &ranking.feedback));
        ranking::lead(graph, &mut ranking.symbols, printed, &ranking::PRINTED);
        ranking::lead(graph, &mut ranking.symbols, &self.learned(&ranking.feedback, lexical)?, &ranking::LEARNED);
        Ok(())
    }

    /// Returns how much learned terms lead to each symbol that no vote speaks against: the rarer a term is, the more.
    ///
    /// # Why
    ///
    /// A term leads only to a symbol whose text lacks it: what has the word is found by it, and votes are evidence in its
    /// score. Led as well, such a symbol took the place of what other tasks with the word were about. For the same reason a
    /// common word leads nowhere, nor does one that led to several symbols.
    fn learned(&self, feedback: &FeedbackByNode, lexical: &Lexical) -> Result<HashMap<NodeId, f64>, StoreError> {
        let mut symbols_of: HashMap<&str, usize> = HashMap::new();
        for term in feedback.nodes.values().flat_map(|symbol| &symbol.terms) {
            *symbols_of.entry(term.keyword.as_str()).or_default() += 1;
        }
        let mut values: HashMap<NodeId, f64> = HashMap::new();
        for (node, symbol) in feedback.nodes.iter().filter(|(_, symbol)| symbol.feedback >= 0.0) {
            for term in symbol.terms.iter().filter(|term| symbols_of[term.keyword.as_str()] <= ranking::LEARNED.count) {
                if let Some(rarity) = self.rarity_where_lacking(&term.keyword, *node, lexical)? {
                    *values.entry(*node).or_default() += term.weight * rarity;
                }
            }
        }
        Ok(values)
    }

    /// Returns the rarity of a word; `None` if it is common, or the symbol has it.
    fn rarity_where_lacking(&self, word: &str, node: NodeId, lexical: &Lexical) -> Result<Option<f64>, StoreError> {
        let found = lexical.searched.iter().filter(|term| term.symbols > 0).zip(&lexical.terms);
        let postings = found.into_iter().find(|(term, _)| term.text == word).map(|(_, term)| &term.postings);
        let symbols = match postings {
            Some(postings) if postings.iter().any(|posting| posting.document == node && is_in_text(posting)) => {
                return Ok(None);
            }
            Some(postings) => postings.len(),
            // It is not searched: no symbol has it, or too many.
            None if !self.index.reader.postings(word, usize::MAX)?.is_empty() => return Ok(None),
            None => 0,
        };
        Ok(Some((self.index.graph.symbols().max(1) as f64 / symbols.max(1) as f64).ln_1p()))
    }

    fn names(&self, nodes: &[NodeId]) -> Result<HashMap<NodeId, ScopedName>, StoreError> {
        let (mut names, reader) = (HashMap::new(), self.index.reader);
        for &node in nodes {
            if let Some(name) = reader.scoped_name(node)? {
                names.insert(node, name);
            }
        }
        Ok(names)
    }

    /// Runs HITS over the best nodes of a walk.
    fn hits(&self, walk: &Walk) -> HashMap<NodeId, HubAuthority> {
        let graph = self.index.graph;
        let mut best: Vec<(NodeId, f64)> = match walk.nodes.len() < tuning::HITS_NODES {
            true => walk.reached(graph).iter().map(|walked| (walked.node, walked.score)).collect(),
            false => walk.nodes.iter().map(|walked| (walked.node, walked.score)).collect(),
        };
        let order = |a: &(NodeId, f64), b: &(NodeId, f64)| {
            b.1.total_cmp(&a.1).then_with(|| graph.id_prefix(a.0).cmp(&graph.id_prefix(b.0))).then(a.0.cmp(&b.0))
        };
        if tuning::HITS_NODES < best.len() {
            best.select_nth_unstable_by(tuning::HITS_NODES, order);
            best.truncate(tuning::HITS_NODES);
        }
        best.sort_unstable_by(order);
        let nodes: Vec<NodeId> = best.into_iter().map(|(node, _)| node).collect();
        let scores = hits(graph, &nodes, tuning::HITS_ITERATIONS);
        nodes.into_iter().zip(scores).collect()
    }
}

/// Returns the nodes that no vote speaks against.
fn not_rejected(nodes: &[NodeId], feedback: &FeedbackByNode) -> Vec<NodeId> {
    let is_rejected = |node: &NodeId| feedback.nodes.get(node).is_some_and(|symbol| symbol.feedback < 0.0);
    nodes.iter().copied().filter(|node| !is_rejected(node)).collect()
}

/// Returns whether a term is in a symbol's own text, not only in that of its file's path or history.
fn is_in_text(posting: &Posting) -> bool {
    const TEXT: [SearchColumn; 4] =
        [SearchColumn::SymbolName, SearchColumn::Signature, SearchColumn::Doc, SearchColumn::Body];
    TEXT.iter().any(|column| posting.frequencies[*column as usize] > 0)
}

/// Pairs each node of a ranked list with its reciprocal rank.
fn reciprocal_ranks(nodes: &[NodeId]) -> Vec<(NodeId, f64)> {
    nodes.iter().enumerate().map(|(rank, node)| (*node, 1.0 / (rank as f64 + 1.0))).collect()
}

/// Returns the best lexical score, for normalization; 1 if no symbol has a score.
fn best_score(scores: &Scores) -> f64 {
    let best = scores.found().iter().map(|node| scores.get(*node).score).fold(0.0, f64::max);
    if best > 0.0 { best } else { 1.0 }
}
