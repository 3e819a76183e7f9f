//! Learned terms: listing, removal, export and import.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use serde::Serialize;

use super::{FeedbackRecorder, is_current, renamed};
use crate::engine::EngineError;
use crate::feedback::learned_terms::{self, TermObservations};
use crate::feedback::{
    Cluster, EventKind, FeedbackEvent, FeedbackState, Subject, TermObservation, parse_terms, term_line,
};
use crate::store::{Reader, StoreError};

/// A learned term: a keyword and a symbol that was useful for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnedTerm {
    pub keyword: String,
    /// Without the repository.
    pub symbol: String,
    pub observations: u32,
    /// 0 before the second observation.
    pub weight: f64,
    /// Observations that do not count because the symbol's package has changed.
    pub expired: u32,
}

impl FeedbackRecorder {
    /// Returns every learned term that counts or did before its package changed, by keyword, the most observed first.
    pub fn terms(&self) -> Result<Vec<LearnedTerm>, EngineError> {
        let observed = self.observed()?;
        let terms = observed.into_iter().map(|(term, expired)| LearnedTerm {
            symbol: term.subject.short_name().to_owned(),
            weight: learned_terms::weight(term.observations),
            keyword: term.keyword,
            observations: term.observations,
            expired,
        });
        Ok(terms.filter(|term| term.weight > 0.0 || term.expired >= learned_terms::ACTIVE).collect())
    }

    /// Removes the terms of a keyword, which may be a stem or an inflected form, for every symbol or for those of one
    /// name. Appends one event; returns the number of removed terms.
    pub fn forget_term(&mut self, keyword: &str, symbol: Option<&str>) -> Result<usize, EngineError> {
        let keyword = keyword.to_lowercase();
        // Stemming is not idempotent: `databases`, `databas`, `databa`.
        let forms = [crate::text::stem(&keyword).into_owned(), keyword];
        let matches = |subject: &Subject| {
            let name = subject.short_name();
            symbol.is_none_or(|symbol| {
                name == symbol || name.strip_suffix(symbol).is_some_and(|rest| rest.ends_with(['.', '/']))
            })
        };
        let terms = self.observed()?.into_iter().map(|(term, _)| term);
        let terms = terms.filter(|term| forms.contains(&term.keyword) && matches(&term.subject));
        let terms: Vec<TermObservation> = terms.map(|term| TermObservation { observations: 0, ..term }).collect();
        let count = terms.len();
        if count > 0 {
            let event = self.event(EventKind::ForgetTerms, "", Cluster::default(), Vec::new(), terms);
            self.journal.append(vec![event])?;
        }
        Ok(count)
    }

    /// Returns the learned terms with current observations, as JSON lines.
    pub fn export_terms(&self) -> Result<Vec<String>, EngineError> {
        let terms = self.observed()?.into_iter().map(|(term, _)| term);
        Ok(terms.filter(|term| term.observations > 0).map(|term| term_line(&term)).collect())
    }

    /// Imports the terms of an export as one event, so that each has at least the exported observations. Idempotent.
    /// Returns the added events.
    ///
    /// # Errors
    /// When a line is not a term, or the store can't be written.
    pub fn import_terms(&mut self, text: &str) -> Result<Vec<FeedbackEvent>, EngineError> {
        let state = FeedbackState::fold(&self.events()?);
        let mut imported = parse_terms(text)?;
        renamed::rename(imported.iter_mut().map(|term| &mut term.subject), &Reader::open(&self.database)?)?;
        // A term may occur twice, as in two concatenated exports; its largest count is used.
        imported.sort_by_key(|term| Reverse(term.observations));
        let mut seen = HashSet::new();
        let mut terms = Vec::new();
        for term in imported {
            let missing = term.observations.saturating_sub(known_observations(&state, &term));
            if missing > 0 && seen.insert((term.keyword.clone(), term.subject.clone())) {
                terms.push(TermObservation { observations: missing, ..term });
            }
        }
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let event = self.event(EventKind::ImportTerms, "", Cluster::default(), Vec::new(), terms);
        Ok(self.journal.append(vec![event])?)
    }

    /// Returns every term with its expired observations.
    fn observed(&self) -> Result<Vec<(TermObservation, u32)>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let state = FeedbackState::fold(&self.events()?);
        let mut current: HashMap<Subject, bool> = HashMap::new();
        let mut is_current = |subject: &Subject| -> Result<bool, StoreError> {
            if let Some(known) = current.get(subject) {
                return Ok(*known);
            }
            let now = is_current(&reader, subject)?;
            current.insert(subject.clone(), now);
            Ok(now)
        };
        let mut terms = Vec::new();
        for keyword in learned_terms::keywords(&state) {
            let mut observed = learned_terms::observations(&state, keyword, &mut is_current)?;
            let order = |term: &TermObservations<'_>| (term.subject.qualified_name.clone(), term.subject.id);
            observed.sort_by_key(|term| (Reverse(term.observations), order(term)));
            terms.extend(observed.into_iter().map(|term| {
                let (keyword, subject, observations) = (keyword.to_owned(), term.subject.clone(), term.observations);
                (TermObservation { keyword, subject, observations }, term.expired)
            }));
        }
        Ok(terms)
    }
}

/// Returns the recorded observations of a term for which its symbol's package had the same source.
fn known_observations(state: &FeedbackState, term: &TermObservation) -> u32 {
    let mut is_same = |subject: &Subject| Ok::<bool, Infallible>(subject.package_root == term.subject.package_root);
    let Ok(observed) = learned_terms::observations(state, &term.keyword, &mut is_same);
    let of_symbol = observed.iter().find(|observed| observed.subject.id == term.subject.id);
    of_symbol.map_or(0, |observed| observed.observations)
}
