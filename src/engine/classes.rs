//! Equivalence classes against a repository: which fire for a task and what they lead to, and what is wrong with them.

use std::collections::HashMap;
use std::ops::Range;

pub use crate::vocab::check::{Flaw, Rule};
pub use crate::vocab::{Class, Gate, Layer, Standing, Vocabulary};

use super::{EngineError, Ranker};
use crate::model::{Request, Symbol, Task};
use crate::retrieve::{ClassHit, Ranking, definitions};
use crate::store::StoreError;
use crate::vocab::check;

/// A class that a task fires in a repository, and where what it leads to stands in the task's ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct FiredClass {
    pub concept: String,
    pub layer: Layer,
    /// What the class's framework is to the repository.
    pub standing: Standing,
    /// Particular enough to lead the ranking.
    pub strong: bool,
    /// What in the task fired it.
    pub gate: Gate,
    /// The task's options say that it counts for nothing.
    pub muted: bool,
    /// The class's phrases that the task has, and where in the task: bytes. Those of a class made for the task are stems,
    /// and have no place.
    pub phrases: Vec<(String, Option<Range<usize>>)>,
    /// Every name that it is said to mean, whether or not it is a symbol here.
    pub targets: Vec<String>,
    /// Where a reader finds that the phrases mean the targets; empty for a class made for the task.
    pub reference: String,
    /// What it leads to here, each once: in the order of the ranking, then what is not ranked, best first.
    pub symbols: Vec<ClassSymbol>,
}

/// A symbol that a class leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassSymbol {
    pub symbol: Symbol,
    /// The target that names it.
    pub target: String,
    /// How much the class says of it, from 0 to 1.
    pub value: f64,
    /// From 1; nothing when it is not ranked.
    pub place: Option<usize>,
    /// What classes together add to its score.
    pub contribution: f64,
}

/// The components of the score that classes make.
pub(super) const CLASS_COMPONENTS: [&str; 2] = ["class", "framework"];

impl Ranker {
    /// The vocabulary that tasks are read with.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The classes that a task fires here, muted ones among them, those that count most first. `ranking` is what
    /// [`Ranker::rank`] made of the task. Changed files fire none.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn fired(&self, task: &Task, ranking: &Ranking) -> Result<Vec<FiredClass>, EngineError> {
        let Request::Task(text) = &task.request else { return Ok(Vec::new()) };
        let mut hits: HashMap<(Layer, String), Vec<ClassHit>> = HashMap::new();
        let mut made = Vec::new();
        for hit in &ranking.classes {
            let key = (hit.layer, hit.concept.clone());
            if hit.layer == Layer::Graph && !made.contains(&key) {
                made.push(key.clone());
            }
            hits.entry(key).or_default().push(hit.clone());
        }
        let places = places(ranking);
        let mut found = Vec::new();
        for (fired, standing) in self.vocabulary.fired(text, &self.profile) {
            let (class, entry) = (fired.class, &fired.class.entry);
            let hits = hits.remove(&(class.layer, entry.concept.clone())).unwrap_or_default();
            found.push(FiredClass {
                concept: entry.concept.clone(),
                layer: class.layer,
                standing,
                strong: fired.gate == Gate::Strong,
                gate: fired.gate,
                muted: task.options.mutes(&class.names()),
                phrases: fired.phrases.iter().map(|said| (said.phrase.to_owned(), Some(said.span.clone()))).collect(),
                targets: entry.targets.clone(),
                reference: entry.reference.clone(),
                symbols: self.class_symbols(hits, &places)?,
            });
        }
        for key in made {
            let hits = hits.remove(&key).unwrap_or_default();
            let (layer, concept) = key;
            found.push(FiredClass {
                layer,
                standing: Standing::General,
                strong: false,
                gate: Gate::Phrases,
                muted: task.options.mutes(&[&concept, layer.name()]),
                phrases: hits.first().map(|hit| (hit.phrase.clone(), None)).into_iter().collect(),
                targets: hits.iter().map(|hit| hit.target.clone()).collect(),
                reference: String::new(),
                symbols: self.class_symbols(hits, &places)?,
                concept,
            });
        }
        Ok(found)
    }

    /// The hits of one class, best first, as symbols in the order of the ranking.
    fn class_symbols(&self, hits: Vec<ClassHit>, places: &Places) -> Result<Vec<ClassSymbol>, EngineError> {
        let mut symbols: Vec<ClassSymbol> = Vec::new();
        for hit in hits {
            let Some(symbol) = self.reader.symbol(hit.node)? else { continue };
            if symbols.iter().any(|known| known.symbol.node == hit.node) {
                continue;
            }
            let (place, contribution) =
                places.get(&hit.node).map_or((None, 0.0), |(place, contribution)| (Some(*place), *contribution));
            symbols.push(ClassSymbol { symbol, target: hit.target, value: hit.value, place, contribution });
        }
        symbols.sort_by_key(|symbol| symbol.place.unwrap_or(usize::MAX));
        Ok(symbols)
    }

    /// Every flaw of the vocabulary, its targets held against the index. With `framework`, the repository counts as being
    /// that one, whatever its manifests say; without, it is what they say.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn check_classes(&self, framework: Option<&str>) -> Result<Vec<Flaw>, EngineError> {
        let mut flaws = check::check(&self.vocabulary);
        let standing = |class: &Class| {
            let scope = self.vocabulary.scope(class);
            match framework {
                Some(name) => scope.name.eq_ignore_ascii_case(name).then_some(Standing::Own),
                None => self.profile.standing(scope),
            }
        };
        let mut count = |class: &Class, target: &str| -> Result<usize, StoreError> {
            Ok(definitions(&self.reader, &self.graph, class, target)?.len())
        };
        flaws.extend(check::check_targets(&self.vocabulary, &standing, &mut count)?);
        flaws.sort();
        Ok(flaws)
    }
}

/// Of each ranked symbol its place, from 1, and what classes add to its score.
type Places = HashMap<u32, (usize, f64)>;

fn places(ranking: &Ranking) -> Places {
    let ranked = ranking.symbols.iter().enumerate();
    ranked
        .map(|(index, ranked)| {
            let parts = ranked.components.iter().filter(|component| CLASS_COMPONENTS.contains(&component.name));
            (ranked.node, (index + 1, parts.map(|component| component.contribution).sum()))
        })
        .collect()
}
