//! Finds the phrases of classes in a task.
//!
//! # Why
//!
//! Each phrase is looked for where its first stem stands in the task, and few tasks have the first stem of many phrases. An
//! automaton over all phrases (Aho and Corasick, 1975) finds them in one pass over the task, but most processes are asked one
//! task, and building it took them many times as long as this.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::text::{identifier_parts, stem};
use crate::vocab::class::Class;
use crate::vocab::seed_file::{Phrase, is_article};

/// Most words of a task that are matched; the rest of a pasted log says nothing new.
const MOST_WORDS: usize = 600;
/// Words of one stem whose lengths differ by more are no forms of one word: `author` is not `authorization`.
const LONGEST_ENDING: usize = 4;
/// From this layer weight on a class may be strong.
const STRONG_WEIGHT: f64 = 0.9;

/// A class that a task speaks of.
#[derive(Debug, Clone, PartialEq)]
pub struct Fired<'a> {
    pub class: &'a Class,
    /// Which of its phrases the task has, in the task's order, each once.
    pub phrases: Vec<Said<'a>>,
    pub gate: Gate,
}

/// How surely a task speaks of a class, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// The class is particular enough to lead the ranking: its layer weighs much, and the task has two phrases of it of
    /// which none contains the other, or one of several words.
    Strong,
    /// The same of a layer that weighs less.
    Phrases,
    /// The task has one plain word of it, which may mean something else.
    Word,
}

impl Gate {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Gate::Strong => "strong",
            Gate::Phrases => "phrases",
            Gate::Word => "word",
        }
    }
}

/// A phrase as a task has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<'a> {
    pub phrase: &'a str,
    stems: &'a str,
    /// Bytes of the task.
    pub span: Range<usize>,
    /// Words of the phrase, articles left out.
    pub words: usize,
}

impl Fired<'_> {
    /// Words of the task that the class's longest phrase takes.
    pub fn words(&self) -> usize {
        self.phrases.iter().map(|said| said.words).max().unwrap_or(0)
    }
}

/// The classes that a task speaks of, those that count most first, then by how many words they take. Linear in the number of
/// all phrases, each taken as often as its first word stands in the task.
pub fn fired<'a>(task: &str, classes: &'a [Class]) -> Vec<Fired<'a>> {
    let words = Words::of(task);
    let places = words.by_stem();
    let mut found: Vec<(usize, Said<'a>)> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        for phrase in &class.entry.phrases {
            let first = phrase.stems.split(' ').nth(1).unwrap_or_default();
            let said = places.get(first).into_iter().flatten().filter_map(|place| words.said(phrase, *place));
            found.extend(said.map(|said| (number, said)));
        }
    }
    found.sort_by_key(|(number, said)| (*number, said.span.start, std::cmp::Reverse(said.span.end)));
    let mut fired: Vec<Fired<'a>> = Vec::new();
    for (number, said) in found {
        let class = &classes[number];
        match fired.last_mut().filter(|last| std::ptr::eq(last.class, class)) {
            Some(last) if last.phrases.iter().any(|known| known.stems == said.stems) => {}
            Some(last) => last.phrases.push(said),
            None => fired.push(Fired { class, phrases: vec![said], gate: Gate::Word }),
        }
    }
    for one in &mut fired {
        one.gate = gate(one.class, &one.phrases);
    }
    fired.sort_by(|a, b| {
        let weights = b.class.layer.weight().total_cmp(&a.class.layer.weight());
        let concepts = || a.class.entry.concept.cmp(&b.class.entry.concept);
        weights.then(b.words().cmp(&a.words())).then_with(concepts)
    });
    fired
}

fn gate(class: &Class, phrases: &[Said<'_>]) -> Gate {
    let apart = |one: &Said<'_>, two: &Said<'_>| !one.stems.contains(two.stems) && !two.stems.contains(one.stems);
    let two = || phrases.iter().enumerate().any(|(place, one)| phrases[place + 1..].iter().any(|two| apart(one, two)));
    match phrases.iter().any(|said| said.words > 1) || two() {
        true if class.layer.weight() >= STRONG_WEIGHT => Gate::Strong,
        true => Gate::Phrases,
        false => Gate::Word,
    }
}

/// The stems of a text's words, articles included.
pub fn stems(text: &str) -> Vec<String> {
    identifier_parts(text).map(|word| stem(&word.to_lowercase()).into_owned()).collect()
}

/// A task's words without articles.
struct Words {
    /// Their stems, each between blanks.
    stems: String,
    /// Of each word: where its stem begins in `stems`, its bytes in the task, its length in letters.
    places: Vec<(usize, Range<usize>, usize)>,
}

impl Words {
    fn of(task: &str) -> Words {
        let mut words = Words { stems: String::from(" "), places: Vec::new() };
        for part in identifier_parts(task).take(MOST_WORDS) {
            let lower = part.to_lowercase();
            if is_article(&lower) {
                continue;
            }
            let start = part.as_ptr() as usize - task.as_ptr() as usize;
            words.places.push((words.stems.len(), start..start + part.len(), lower.chars().count()));
            words.stems.push_str(&stem(&lower));
            words.stems.push(' ');
        }
        words
    }

    /// The places of the words of each stem.
    fn by_stem(&self) -> HashMap<&str, Vec<usize>> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, stem) in self.stems.split_terminator(' ').skip(1).enumerate() {
            places.entry(stem).or_default().push(place);
        }
        places
    }

    /// A phrase whose first word is the one at `first`; `None` when others follow than the phrase has, or words that only
    /// happen to have their stems.
    fn said<'a>(&self, phrase: &'a Phrase, first: usize) -> Option<Said<'a>> {
        // The stems of a phrase begin with a blank.
        let start = self.places.get(first)?.0 - 1;
        if !self.stems[start..].starts_with(&phrase.stems) {
            return None;
        }
        let wanted: Vec<usize> = content_words(&phrase.text).map(|word| word.chars().count()).collect();
        let places = self.places.get(first..first + wanted.len())?;
        let alike = places.iter().zip(&wanted).all(|((.., length), wanted)| length.abs_diff(*wanted) <= LONGEST_ENDING);
        let span = places.first()?.1.start..places.last()?.1.end;
        alike.then_some(Said { phrase: &phrase.text, stems: &phrase.stems, span, words: wanted.len() })
    }
}

fn content_words(phrase: &str) -> impl Iterator<Item = Cow<'_, str>> {
    identifier_parts(phrase).map(|word| Cow::Owned(word.to_lowercase())).filter(|word: &Cow<'_, str>| !is_article(word))
}
