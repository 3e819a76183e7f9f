//! Concepts in a repository: the matches of a task with the symbols they lead to, and diagnostics against the index.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;

pub use crate::concepts::diagnostics::{Diagnostic, Rule};
pub use crate::concepts::{Concept, FrameworkUse, Layer, MatchStrength, Vocabulary};

use super::names::suggestions;
use super::{EngineError, Ranker, Ranking};
use crate::candidates::{ConceptHit, definitions};
use crate::concepts::diagnostics;
use crate::features::CONCEPT_FEATURES;
use crate::model::{NodeId, Request, Symbol, Task};
use crate::store::StoreError;
use crate::text::display::safe;

/// A concept of a task, with the symbols it leads to and their ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedConcept {
    pub concept: String,
    pub layer: Layer,
    /// The repository's use of the concept's framework.
    pub framework_use: FrameworkUse,
    /// Whether the strength is [`MatchStrength::Strong`].
    pub strong: bool,
    /// The strength of the match.
    pub strength: MatchStrength,
    /// Whether the task's options mute it.
    pub muted: bool,
    /// Its phrases in the task, with their byte ranges. Phrases of the graph layer are stems and have no range.
    pub phrases: Vec<(String, Option<Range<usize>>)>,
    /// Its targets, including those that are not symbols of the repository.
    pub targets: Vec<String>,
    /// The source that documents its meaning; empty in the graph layer.
    pub reference: String,
    /// Symbols that it leads to, each once: ranked ones by rank, then the others, best first.
    pub symbols: Vec<ConceptSymbol>,
}

/// A name that is not a concept, layer or seed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownConcept {
    pub name: String,
    /// Similar names, best first.
    pub similar: Vec<String>,
}

impl UnknownConcept {
    /// Returns the first of `names` that is neither `generated` nor in one of the vocabularies.
    pub fn find(names: &BTreeSet<String>, vocabularies: &[&Vocabulary], generated: &[&str]) -> Option<UnknownConcept> {
        let concepts = vocabularies.iter().flat_map(|vocabulary| vocabulary.concepts());
        let known: BTreeSet<&str> = concepts
            .flat_map(|concept| concept.names())
            .chain(Layer::ALL.map(Layer::name))
            .chain(generated.iter().copied())
            .collect();
        let name = names.iter().find(|name| !known.contains(name.as_str()))?;
        Some(UnknownConcept { name: name.clone(), similar: suggestions(name, known.into_iter()) })
    }
}

impl fmt::Display for UnknownConcept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no concept, layer or seed file is called `{}`; ", self.name)?;
        match self.similar.as_slice() {
            [] => formatter.write_str("`knowing concepts list` shows them"),
            similar => write!(formatter, "did you mean {}?", safe(&similar.join(", "))),
        }
    }
}

/// A symbol that a concept leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptSymbol {
    pub symbol: Symbol,
    /// The target that names it.
    pub target: String,
    /// Value of the hit, from 0 to 1.
    pub value: f64,
    /// From 1; `None` if it is not ranked.
    pub rank: Option<usize>,
    /// Contribution of all concepts to its score.
    pub contribution: f64,
}

impl Ranker {
    /// Returns the vocabulary of the repository.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns whether the repository is a framework that the vocabulary has concepts for.
    pub fn is_own_framework(&self) -> bool {
        let is_own = |concept: &Concept| {
            self.profile.framework_use(self.vocabulary.scope(concept)) == Some(FrameworkUse::Itself)
        };
        self.vocabulary.concepts().iter().any(is_own)
    }

    /// Returns the concepts of a task, muted ones included, those of the greatest weight first. `ranking` is the
    /// ranking of the task. Requests without a text have none.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn matched_concepts(&self, task: &Task, ranking: &Ranking) -> Result<Vec<MatchedConcept>, EngineError> {
        let Request::Task(text) = &task.request else { return Ok(Vec::new()) };
        let mut hits: HashMap<(Layer, String), Vec<ConceptHit>> = HashMap::new();
        let mut made = Vec::new();
        for hit in &ranking.concepts {
            let key = (hit.layer, hit.concept.clone());
            if hit.layer == Layer::Graph && !made.contains(&key) {
                made.push(key.clone());
            }
            hits.entry(key).or_default().push(hit.clone());
        }
        let ranks = ranks(ranking);
        let mut found = Vec::new();
        for (matched, framework_use) in self.vocabulary.matches(text, &self.profile) {
            let (concept, entry) = (matched.concept, &matched.concept.entry);
            let hits = hits.remove(&(concept.layer, entry.concept.clone())).unwrap_or_default();
            found.push(MatchedConcept {
                concept: entry.concept.clone(),
                layer: concept.layer,
                framework_use,
                strong: matched.strength == MatchStrength::Strong,
                strength: matched.strength,
                muted: task.options.mutes(&concept.names()),
                phrases: (matched.phrases.iter())
                    .map(|phrase| (phrase.phrase.to_owned(), Some(phrase.span.clone())))
                    .collect(),
                targets: entry.targets.clone(),
                reference: entry.reference.clone(),
                symbols: self.concept_symbols(hits, &ranks)?,
            });
        }
        for key in made {
            let hits = hits.remove(&key).unwrap_or_default();
            let (layer, concept) = key;
            found.push(MatchedConcept {
                layer,
                framework_use: FrameworkUse::Any,
                strong: false,
                strength: MatchStrength::Phrase,
                muted: task.options.mutes(&[&concept, layer.name()]),
                phrases: hits.first().map(|hit| (hit.phrase.clone(), None)).into_iter().collect(),
                targets: hits.iter().map(|hit| hit.target.clone()).collect(),
                reference: String::new(),
                symbols: self.concept_symbols(hits, &ranks)?,
                concept,
            });
        }
        Ok(found)
    }

    /// Returns the first name among the muted ones of a task that mutes nothing, with similar names that would.
    /// Concepts that are generated for the task count, so an unknown name takes a ranking.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn unknown_mute(&self, task: &Task) -> Result<Option<UnknownConcept>, EngineError> {
        let (names, vocabulary) = (&task.options.muted_concepts, [&*self.vocabulary]);
        if UnknownConcept::find(names, &vocabulary, &[]).is_none() {
            return Ok(None);
        }
        let ranking = self.rank(task, &|| false)?.unwrap_or_default();
        let generated: Vec<&str> = ranking.concepts.iter().map(|hit| hit.concept.as_str()).collect();
        Ok(UnknownConcept::find(names, &vocabulary, &generated))
    }

    /// Returns the symbols of one concept's hits, in the order of the ranking.
    fn concept_symbols(&self, hits: Vec<ConceptHit>, ranks: &Ranks) -> Result<Vec<ConceptSymbol>, EngineError> {
        let mut symbols: Vec<ConceptSymbol> = Vec::new();
        for hit in hits {
            let Some(symbol) = self.reader.symbol(hit.node)? else { continue };
            if symbols.iter().any(|known| known.symbol.node == hit.node) {
                continue;
            }
            let (rank, contribution) =
                ranks.get(&hit.node).map_or((None, 0.0), |(rank, contribution)| (Some(*rank), *contribution));
            symbols.push(ConceptSymbol { symbol, target: hit.target, value: hit.value, rank, contribution });
        }
        symbols.sort_by_key(|symbol| symbol.rank.unwrap_or(usize::MAX));
        Ok(symbols)
    }

    /// Checks the vocabulary and its targets against the index. With `framework`, the repository is treated as that
    /// framework, whatever its manifests contain.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn check_concepts(&self, framework: Option<&str>) -> Result<Vec<Diagnostic>, EngineError> {
        let mut found = diagnostics::check(&self.vocabulary);
        let framework_use = |concept: &Concept| {
            let scope = self.vocabulary.scope(concept);
            match framework {
                Some(name) => scope.name.eq_ignore_ascii_case(name).then_some(FrameworkUse::Itself),
                None => self.profile.framework_use(scope),
            }
        };
        let mut count = |concept: &Concept, target: &str| -> Result<usize, StoreError> {
            Ok(definitions(&self.reader, &self.graph, concept, target)?.len())
        };
        found.extend(diagnostics::check_targets(&self.vocabulary, &framework_use, &mut count)?);
        found.sort();
        Ok(found)
    }
}

/// Rank, from 1, of each ranked symbol, and the contribution of concepts to its score.
type Ranks = HashMap<NodeId, (usize, f64)>;

fn ranks(ranking: &Ranking) -> Ranks {
    let ranked = ranking.symbols.iter().enumerate();
    ranked
        .map(|(index, ranked)| {
            let components = ranked.components.iter();
            let of_concepts = components.filter(|component| CONCEPT_FEATURES.contains(&component.name));
            (ranked.node, (index + 1, of_concepts.map(|component| component.contribution).sum()))
        })
        .collect()
}
