//! The reasons that keep a symbol from a better rank, or out of the pack.

use std::fmt;

use serde::{Serialize, Serializer};

use super::why::{PackStatus, Why};
use crate::candidates::is_definition;
use crate::model::{Omission, SymbolKind};
use crate::rank::tuning;

/// A reason that keeps a symbol from a better rank, or out of the pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MissingReason {
    NoTaskWord,
    NoChannel,
    NotFused,
    /// Excluded from the seeds by this rule.
    Noise(&'static str),
    OutOfReach,
    BelowWalkFloor {
        score: f64,
        floor: f64,
    },
    /// Symbols of this kind are not ranked.
    Kind(SymbolKind),
    /// Only this many symbols are scored because of their words.
    NotScored(usize),
    NotRanked,
    /// Not among the ranked symbols that are candidates of a pack.
    NotOffered,
    NegativeScore,
    OverBudget {
        omission: Omission,
        tokens: usize,
        left_tokens: usize,
    },
}

impl fmt::Display for MissingReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissingReason::NoTaskWord => write!(out, "its names and documentation have no word of the task"),
            MissingReason::NoChannel => write!(out, "no search found it directly"),
            MissingReason::NotFused => {
                write!(out, "not among the first {} results of the searches together", tuning::FUSED_CANDIDATES)
            }
            MissingReason::Noise(rule) => write!(out, "the graph is not searched from it: {rule}"),
            MissingReason::OutOfReach => {
                write!(out, "more than {} edges from every match", tuning::WALK.max_hops)
            }
            MissingReason::BelowWalkFloor { score, floor } => {
                write!(out, "too far from the matches in the graph ({score:.3}, and the least is {floor:.3})")
            }
            MissingReason::Kind(kind) => write!(out, "{} symbols are not ranked", kind.name()),
            MissingReason::NotScored(scored) => {
                write!(out, "not among the {scored} symbols whose words match best, and nothing else leads to it")
            }
            MissingReason::NotRanked => write!(out, "not ranked"),
            MissingReason::NotOffered => {
                write!(out, "only the first {} ranked symbols are candidates of a pack", tuning::PACK_CANDIDATES)
            }
            MissingReason::NegativeScore => {
                write!(
                    out,
                    "{}; such symbols are packed only if pinned, or voted useful for such a task",
                    omission(Omission::Negative)
                )
            }
            MissingReason::OverBudget { omission: reason, tokens, left_tokens } => {
                write!(out, "over budget: {}; {tokens} tokens, {left_tokens} left", omission(*reason))
            }
        }
    }
}

impl Serialize for MissingReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns why a ranked symbol is not in the pack, in words.
pub fn omission(reason: Omission) -> &'static str {
    match reason {
        Omission::Negative => "the score is negative",
        Omission::TooLarge => "larger than the remaining tokens",
        Omission::Below => "below every symbol of the pack",
    }
}

/// Returns what the channels did not find. They do not matter to a request without words, which ranks what changed.
fn channel_reason(has_words: bool, is_found: bool, is_fused: bool) -> Option<MissingReason> {
    match (is_found, is_fused) {
        _ if !has_words => None,
        (false, _) => Some(MissingReason::NoChannel),
        (true, false) => Some(MissingReason::NotFused),
        (true, true) => None,
    }
}

/// Returns the reasons that keep a symbol from a better rank.
pub fn missing(why: &Why, kind: SymbolKind) -> Vec<MissingReason> {
    let mut missing = Vec::new();
    let has_term = why.terms.iter().any(|term| !term.found_in.is_empty());
    // Changed files have no words.
    if !has_term && !why.terms.is_empty() {
        missing.push(MissingReason::NoTaskWord);
    }
    let is_found = why.channels.iter().any(|channel| channel.found.is_some());
    missing.extend(channel_reason(!why.terms.is_empty(), is_found, why.fused.is_some()));
    missing.extend(why.noise.map(MissingReason::Noise));
    match &why.walk {
        None => missing.push(MissingReason::OutOfReach),
        Some(walk) if walk.score < walk.floor => {
            missing.push(MissingReason::BelowWalkFloor { score: walk.score, floor: walk.floor });
        }
        Some(_) => (),
    }
    match (&why.rank, &why.pack) {
        (None, _) if !is_definition(kind) => missing.push(MissingReason::Kind(kind)),
        (None, _) if has_term && why.scored > 0 => missing.push(MissingReason::NotScored(why.scored)),
        (None, _) => missing.push(MissingReason::NotRanked),
        (Some(_), PackStatus::NotOffered) => missing.push(MissingReason::NotOffered),
        (Some(_), PackStatus::Omitted { reason: Omission::Negative, .. }) => {
            missing.push(MissingReason::NegativeScore);
        }
        (Some(_), PackStatus::Omitted { reason, tokens, left_tokens, .. }) => {
            let (omission, tokens, left_tokens) = (*reason, *tokens, *left_tokens);
            missing.push(MissingReason::OverBudget { omission, tokens, left_tokens });
        }
        (Some(_), PackStatus::Packed { .. }) => (),
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_do_not_explain_requests_without_words() {
        assert_eq!(channel_reason(true, false, false), Some(MissingReason::NoChannel));
        assert_eq!(channel_reason(true, true, false), Some(MissingReason::NotFused));
        for (is_found, is_fused) in [(false, false), (true, false), (true, true)] {
            assert_eq!(channel_reason(false, is_found, is_fused), None);
        }
    }

    #[test]
    fn reasons_are_written_as_sentences() {
        let over = MissingReason::OverBudget { omission: Omission::TooLarge, tokens: 40, left_tokens: 12 };
        let text = "over budget: larger than the remaining tokens; 40 tokens, 12 left";
        assert_eq!(over.to_string(), text);
        assert_eq!(serde_json::to_string(&over).unwrap(), format!("\"{text}\""));
        assert!(MissingReason::NegativeScore.to_string().starts_with("the score is negative; "));
    }
}
