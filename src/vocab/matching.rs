//! Finds the phrases of classes in a task: an Aho-Corasick automaton over stems, so that its time depends on the task's
//! length alone (Aho and Corasick, Communications of the ACM 18(6), 1975).

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

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

/// The automaton over the phrases of some classes.
#[derive(Debug)]
pub struct Matcher {
    automaton: AhoCorasick,
    /// For each pattern the places of its class and phrase.
    owners: Vec<(u32, u32)>,
}

impl Matcher {
    /// Linear in the length of all phrases. `None` when there are more than the automaton can number.
    pub fn new(classes: &[Class]) -> Option<Matcher> {
        let mut owners = Vec::new();
        let mut patterns = Vec::new();
        for (class, number) in classes.iter().zip(0..) {
            for (phrase, place) in class.entry.phrases.iter().zip(0..) {
                owners.push((number, place));
                patterns.push(phrase.stems.as_str());
            }
        }
        let kind = Some(AhoCorasickKind::NoncontiguousNFA);
        let automaton = AhoCorasick::builder().kind(kind).build(&patterns).ok()?;
        Some(Matcher { automaton, owners })
    }

    /// The classes that a task speaks of, those that count most first, then by how many words they take.
    pub fn fired<'a>(&self, task: &str, classes: &'a [Class]) -> Vec<Fired<'a>> {
        let words = Words::of(task);
        let mut found: Vec<(u32, Said<'a>)> = Vec::new();
        for hit in self.automaton.find_overlapping_iter(&words.stems) {
            let (number, place) = self.owners[hit.pattern().as_usize()];
            let phrase = &classes[number as usize].entry.phrases[place as usize];
            if let Some(said) = words.said(phrase, hit.start()) {
                found.push((number, said));
            }
        }
        found.sort_by_key(|(number, said)| (*number, said.span.start, std::cmp::Reverse(said.span.end)));
        let mut fired: Vec<Fired<'a>> = Vec::new();
        for (number, said) in found {
            let class = &classes[number as usize];
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

    /// A phrase whose stems begin at the blank at `start`; `None` when they only happen to be the stems of other words.
    fn said<'a>(&self, phrase: &'a Phrase, start: usize) -> Option<Said<'a>> {
        let first = self.places.partition_point(|(stem, ..)| *stem <= start);
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
