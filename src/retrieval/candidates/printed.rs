//! The definitions that print a message of the task: it has a text of theirs as a whole, whatever is in the places of its
//! placeholders.
//!
//! The index says which definitions have the rare words of a message, their sources what they print. That a message has
//! words of a long text says nothing: help for users has the words of every task. Sources that have changed since they
//! were indexed count as without texts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::literals::{Sentence, literals};
use super::select::is_candidate;
use super::{Graph, IndexView, Lexical, Term};
use crate::model::{FileId, NodeId, Posting, Span};
use crate::query::{Message, Part};
use crate::rank::bm25f::{best, idf};
use crate::rank::tuning::WORD_WEIGHT;
use crate::scan::read::read;
use crate::store::{SearchColumn, StoreError};

/// Limits of the terms that are read beside those of the task's keywords, of the postings of one message, and of the
/// definitions that may have it.
const MAX_TERMS: usize = 40;
const MAX_POSTINGS: usize = 20_000;
const MAX_DEFINITIONS: usize = 12;
/// Limit of the files that are read.
const MAX_FILES: usize = 60;
/// The least evidence of a definition's words, in nats.
const MIN_WORDS: f64 = 4.0;
/// The evidence of a word that is everywhere, where the text has it, and of one that a message lacks.
const COMMON: f64 = 2.0;
const LACKING: f64 = 5.0;
/// Evidence that is subtracted from that of a text's words: some are there by chance.
const CHANCE: f64 = 8.0;
/// The least share of a text, and what remains of its evidence then.
const MIN_SHARE: f64 = 0.7;
const MIN_EVIDENCE: f64 = 5.0;
/// The evidence that is half of the maximum.
const HALF: f64 = 10.0;
/// The share of a message's best evidence from which a definition prints the same one.
const SAME: f64 = 0.9;
/// The least value.
const MIN_VALUE: f64 = 0.1;

/// The postings of terms.
type Postings = HashMap<String, Arc<[Posting]>>;

/// A definition that may have some messages, with their numbers.
type Wanted = (NodeId, Span, Vec<usize>);

/// Returns the values of the definitions that print a message, from 0 to 1.
///
/// # Errors
/// When the store can't be read.
pub fn printed(
    index: IndexView<'_>,
    messages: &[Message],
    lexical: &Lexical,
    with_tests: bool,
) -> Result<HashMap<NodeId, f64>, StoreError> {
    let IndexView { reader, graph, root, .. } = index;
    let postings = postings(index, messages, lexical)?;
    let patterns: Vec<Pattern<'_>> = messages.iter().map(|message| Pattern::new(message, &postings, graph)).collect();
    let found: Vec<Vec<NodeId>> = patterns.par_iter().map(|pattern| pattern.definitions(graph, with_tests)).collect();
    let mut numbers: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (number, nodes) in found.iter().enumerate() {
        nodes.iter().for_each(|node| numbers.entry(*node).or_default().push(number));
    }
    let mut by_file: BTreeMap<FileId, Vec<Wanted>> = BTreeMap::new();
    for (node, numbers) in numbers {
        let file = graph.meta(node).and_then(|meta| meta.file);
        let file = file.filter(|file| by_file.len() < MAX_FILES || by_file.contains_key(file));
        let (Some(file), Some(symbol)) = (file, reader.symbol(node)?) else { continue };
        by_file.entry(file).or_default().push((node, symbol.span, numbers));
    }
    let mut files = Vec::with_capacity(by_file.len());
    for (file, wanted) in by_file {
        let Some(path) = graph.file_path(file) else { continue };
        files.push((path, reader.content_hash(path)?, wanted));
    }
    let in_file = |(path, hash, wanted): &(&str, Option<[u8; 32]>, Vec<Wanted>)| {
        // A file that can't be read is one of the next update.
        let content = read(root, path).ok().filter(|content| Some(content.hash) == *hash);
        let text = content.map(|content| content.text).unwrap_or_default();
        wanted.iter().flat_map(|wanted| evidence(&patterns, wanted, &text)).collect::<Vec<_>>()
    };
    let evidence: Vec<(usize, NodeId, f64)> = files.par_iter().flat_map_iter(in_file).collect();
    Ok(values(&evidence, messages))
}

/// Returns the postings of the terms of messages: those of the task's keywords, and some others.
fn postings(index: IndexView<'_>, messages: &[Message], lexical: &Lexical) -> Result<Postings, StoreError> {
    let found = lexical.searched.iter().filter(|term| term.symbols > 0).zip(&lexical.terms);
    let mut postings: Postings = found.map(|(term, found)| (term.text.clone(), Arc::clone(&found.postings))).collect();
    let mut known: HashSet<String> = lexical.searched.iter().map(|term| term.text.clone()).collect();
    let others = messages.iter().flat_map(|message| &message.words).filter_map(|(_, term)| term.as_ref());
    let others: Vec<&String> = others.filter(|term| known.insert((*term).clone())).take(MAX_TERMS).collect();
    for text in others {
        let term = Term { text: text.clone(), weight: WORD_WEIGHT, part: Part::Subject, symbols: 0 };
        postings.insert(term.text.clone(), index.postings.get(index.reader, index.graph, &term)?);
    }
    Ok(postings)
}

/// Returns the evidence for each message that a definition in a text may print.
fn evidence(patterns: &[Pattern<'_>], (node, span, numbers): &Wanted, text: &str) -> Vec<(usize, NodeId, f64)> {
    let source = text.get(span.start_byte as usize..span.end_byte as usize).unwrap_or_default();
    let printed = literals(source);
    let of_message = |number: usize| {
        let evidence = printed.iter().map(|sentence| patterns[number].evidence(sentence));
        (number, *node, evidence.fold(0.0, f64::max))
    };
    numbers.iter().map(|number| of_message(*number)).collect()
}

/// Returns the value of each definition by its best message. A message that several print says less of each, and so does
/// one of many.
fn values(evidence: &[(usize, NodeId, f64)], messages: &[Message]) -> HashMap<NodeId, f64> {
    let mut best = vec![0.0_f64; messages.len()];
    evidence.iter().for_each(|(number, _, value)| best[*number] = best[*number].max(*value));
    let mut same = vec![0_usize; messages.len()];
    evidence.iter().for_each(|(number, _, value)| same[*number] += usize::from(*value >= SAME * best[*number]));
    let is_printed = |number: &usize| best[*number] >= MIN_EVIDENCE;
    let printed: Vec<u8> = (0..messages.len()).filter(is_printed).map(|number| messages[number].order).collect();
    let mut values: HashMap<NodeId, f64> = HashMap::new();
    for (number, node, value) in evidence.iter().filter(|(.., value)| *value >= MIN_EVIDENCE) {
        let as_likely = printed.iter().filter(|order| **order <= messages[*number].order).count();
        let share = value / best[*number];
        let value = value / (value + HALF) * share / (same[*number] as f64).sqrt() / as_likely.max(1) as f64;
        let known = values.entry(*node).or_default();
        *known = known.max(value);
    }
    values.retain(|_, value| *value >= MIN_VALUE);
    values
}

/// A message as it is searched for.
struct Pattern<'a> {
    /// Its words with their evidence, and each two that are side by side.
    words: HashMap<&'a str, f64>,
    pairs: HashSet<(&'a str, &'a str)>,
    /// The postings of its terms with their evidence, the rarest first.
    postings: Vec<(f64, &'a [Posting])>,
}

impl<'a> Pattern<'a> {
    fn new(message: &'a Message, known: &'a Postings, graph: &Graph) -> Pattern<'a> {
        let postings_of = |term: &Option<String>| {
            let postings = known.get(term.as_ref()?).filter(|postings| !postings.is_empty())?;
            Some((idf(graph.symbols(), postings.len()), postings))
        };
        let evidence = |term| postings_of(term).map_or(COMMON, |(evidence, _)| evidence.max(COMMON));
        let words = message.words.iter().map(|(word, term)| (word.as_str(), evidence(term))).collect();
        let pairs = message.words.windows(2).map(|pair| (pair[0].0.as_str(), pair[1].0.as_str())).collect();
        let terms: BTreeMap<&str, &Option<String>> =
            message.words.iter().filter_map(|(_, term)| Some((term.as_deref()?, term))).collect();
        let mut postings: Vec<(f64, &[Posting])> =
            terms.into_values().filter_map(postings_of).map(|(evidence, postings)| (evidence, &**postings)).collect();
        postings.sort_by_key(|(_, postings)| postings.len());
        Pattern { words, pairs, postings }
    }

    /// Returns the definitions with most of the rare words in their bodies.
    fn definitions(&self, graph: &Graph, with_tests: bool) -> Vec<NodeId> {
        let mut scores: HashMap<NodeId, (f64, usize)> = HashMap::new();
        let mut read = 0;
        for (evidence, postings) in &self.postings {
            if read > 0 && read + postings.len() > MAX_POSTINGS {
                break;
            }
            read += postings.len();
            let in_code = |posting: &&Posting| {
                posting.frequencies[SearchColumn::Body as usize] > 0
                    || posting.frequencies[SearchColumn::Signature as usize] > 0
            };
            for posting in postings.iter().filter(in_code) {
                let score = scores.entry(posting.document).or_default();
                *score = (score.0 + evidence, score.1 + 1);
            }
        }
        let is_wanted = |node: NodeId, (evidence, terms): (f64, usize)| {
            evidence >= MIN_WORDS
                && terms > 1
                && is_candidate(graph, node)
                && (with_tests || graph.meta(node).is_some_and(|meta| !meta.is_test))
        };
        let wanted = scores.into_iter().filter(|(node, score)| is_wanted(*node, *score));
        best(wanted.map(|(node, (score, _))| (score, graph.id_prefix(node), node)).collect(), MAX_DEFINITIONS)
    }

    /// Returns the evidence of the words of a sentence that the message has side by side; 0 if it lacks a good part.
    fn evidence(&self, sentence: &Sentence) -> f64 {
        let word_at = |at: usize| sentence.get(at).and_then(Option::as_deref);
        let (mut all, mut found, mut continues) = (0.0, 0.0, false);
        for (at, word) in sentence.iter().enumerate() {
            let Some(word) = word.as_deref() else {
                continues = false;
                continue;
            };
            let next = word_at(at + 1);
            let is_joined = next.is_some_and(|next| self.pairs.contains(&(word, next)));
            let is_alone = next.is_none() && at.checked_sub(1).and_then(word_at).is_none();
            let evidence = self.words.get(word).copied();
            all += evidence.unwrap_or(LACKING);
            if is_joined || continues || is_alone {
                found += evidence.unwrap_or(0.0);
            }
            continues = is_joined;
        }
        let share = found / f64::max(all, f64::EPSILON);
        if share >= MIN_SHARE { f64::max(0.0, found - CHANCE) * share } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str, order: u8) -> Message {
        Message { order, words: text.split(' ').map(|word| (word.to_owned(), None)).collect() }
    }

    #[test]
    fn evidence_is_of_texts_that_the_message_has_as_a_whole() {
        let message = message("error cannot open the till 42 of your shop in 3 minutes", 0);
        let postings = Postings::new();
        let mut pattern = Pattern::new(&message, &postings, &Graph::default());
        pattern.words.values_mut().for_each(|evidence| *evidence = 5.0);
        for (source, expected) in [
            (r#"raise error("cannot open the till %d of your shop" % till)"#, 35.0 - CHANCE),
            ("\"cannot open the \"\n  \"till {till} of your shop\"", 35.0 - CHANCE),
            ("\"cannot open a till of any shop\"", 0.0),
            ("\"help on how you cannot open the till of your shop\"", 0.0),
            ("\"till the open cannot\"", 0.0),
            ("cannot.open(the, till, of, your, shop)", 0.0),
            ("", 0.0),
        ] {
            let span = Span { end_byte: source.len() as u32, ..Span::default() };
            let found = evidence(std::slice::from_ref(&pattern), &(NodeId::new(1), span, vec![0]), source);
            assert_eq!(found, [(0, NodeId::new(1), expected)], "{source}");
        }
    }

    #[test]
    fn a_message_of_many_or_that_several_print_counts_less() {
        let node = NodeId::new;
        let messages = ["a", "b", "c"].map(|text| message(text, u8::from(text == "c")));
        let evidence = [(0, node(1), 30.0), (0, node(2), 10.0), (1, node(3), 30.0), (1, node(4), 30.0)];
        let both = values(&evidence, &messages);
        assert_eq!(values(&evidence[..2], &messages)[&node(1)], 0.75);
        assert_eq!(both[&node(1)], 0.375);
        assert!(both[&node(3)] == both[&node(4)] && both[&node(3)] < both[&node(1)] && !both.contains_key(&node(2)));
        assert_eq!(
            values(&[evidence[0], (2, node(5), 30.0)], &messages)[&node(1)],
            0.75,
            "a line of a log is less likely"
        );
    }
}
