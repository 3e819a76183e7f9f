//! Counts cl100k_base tokens.
//!
//! The vocabulary comes from `tiktoken-rs` at build time (see `build.rs`), so it is not loaded at run time. The
//! pre-tokenizer is the tokenizer's regular expression written by hand, and the merging is byte pair encoding. The
//! tests compare both with `tiktoken-rs`.
//!
//! Complexity: linear in the text, with a logarithmic factor in the length of a single word.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use xxhash_rust::xxh3::xxh3_64;

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.bytes"));
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.ends"));
static SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.slots"));
static LETTERS: &[(char, char)] = &include!(concat!(env!("OUT_DIR"), "/letters.rs"));

/// Returns the number of tokens of `text`. Special tokens such as `<|endoftext|>` count as ordinary text.
///
/// The counts of two texts add up if the first ends with a line break and the second starts with neither a line break
/// nor a space.
pub fn count(text: &str) -> usize {
    Counter::default().count(text)
}

/// Maximum number of cached pieces.
const MAX_CACHED: usize = 10_000;
/// Maximum length of a cached piece.
const MAX_CACHED_BYTES: usize = 64;

/// Counts the tokens of many texts. Caches the counts of pieces with several tokens, which are the most expensive and
/// recur in the lines of a pack.
#[derive(Default)]
pub struct Counter {
    merger: Merger,
    /// Token counts of pieces with more than one token.
    cache: HashMap<Box<[u8]>, usize>,
}

impl Counter {
    /// Returns the number of tokens of `text`, like [`count`].
    pub fn count(&mut self, text: &str) -> usize {
        let mut rest = text;
        let mut tokens = 0;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(first_piece(rest));
            tokens += self.count_piece(piece.as_bytes());
            rest = after;
        }
        tokens
    }

    fn count_piece(&mut self, piece: &[u8]) -> usize {
        if rank(piece).is_some() {
            return 1;
        }
        if let Some(&tokens) = self.cache.get(piece) {
            return tokens;
        }
        let tokens = self.merger.tokens(piece);
        if piece.len() <= MAX_CACHED_BYTES {
            if self.cache.len() >= MAX_CACHED {
                self.cache.clear();
            }
            self.cache.insert(piece.into(), tokens);
        }
        tokens
    }
}

/// Returns the byte length of the first piece that the tokenizer splits off. The functions below are the alternatives
/// of its regular expression, in their order.
fn first_piece(text: &str) -> usize {
    contraction(text)
        .or_else(|| word(text))
        .or_else(|| digits(text))
        .or_else(|| punctuation(text))
        .unwrap_or_else(|| whitespace(text))
}

/// `'(?i:[sdmt]|ll|ve|re)`; case folding also matches the long s.
fn contraction(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    let first = rest.chars().next()?;
    if matches!(first, 's' | 'S' | 'ſ' | 'd' | 'D' | 'm' | 'M' | 't' | 'T') {
        return Some(1 + first.len_utf8());
    }
    let pair = rest.get(..2)?;
    ["ll", "ve", "re"].iter().any(|known| pair.eq_ignore_ascii_case(known)).then_some(3)
}

/// `[^\r\n\p{L}\p{N}]?+\p{L}++`
fn word(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let leads = !matches!(first, '\r' | '\n') && !is_letter(first) && !first.is_numeric();
    let start = if leads { first.len_utf8() } else { 0 };
    let length = prefix(&text[start..], is_letter);
    (length > 0).then_some(start + length)
}

/// `\p{N}{1,3}+`
fn digits(text: &str) -> Option<usize> {
    let length = text.chars().take(3).take_while(|letter| letter.is_numeric()).map(char::len_utf8).sum::<usize>();
    (length > 0).then_some(length)
}

/// ` ?[^\s\p{L}\p{N}]++[\r\n]*+`
fn punctuation(text: &str) -> Option<usize> {
    let start = usize::from(text.starts_with(' '));
    let length = prefix(&text[start..], |letter| !letter.is_whitespace() && !is_letter(letter) && !letter.is_numeric());
    let end = start + length;
    (length > 0).then(|| end + prefix(&text[end..], |letter| matches!(letter, '\r' | '\n')))
}

/// `\s++$|\s*[\r\n]|\s+(?!\S)|\s`
fn whitespace(text: &str) -> usize {
    let run = prefix(text, char::is_whitespace);
    if run == text.len() {
        return run;
    }
    if let Some(line_break) = text[..run].rfind(['\r', '\n']) {
        return line_break + 1;
    }
    let last = text[..run].chars().next_back().map_or(0, char::len_utf8);
    if run > last { run - last } else { run }
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

fn is_letter(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphabetic();
    }
    let after = LETTERS.partition_point(|(first, _)| *first <= letter);
    after > 0 && letter <= LETTERS[after - 1].1
}

fn number(table: &[u8], index: usize) -> u32 {
    let bytes = table.get(index * 4..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn rank(piece: &[u8]) -> Option<u32> {
    let slots = SLOTS.len() / 4;
    let mut slot = xxh3_64(piece) as usize % slots;
    loop {
        let rank = number(SLOTS, slot).checked_sub(1)?;
        let start = if rank == 0 { 0 } else { number(ENDS, rank as usize - 1) };
        if &BYTES[start as usize..number(ENDS, rank as usize) as usize] == piece {
            return Some(rank);
        }
        slot = (slot + 1) % slots;
    }
}

/// Byte pair encoding of one piece at a time; reuses its buffers.
#[derive(Default)]
struct Merger {
    /// For the start of each part, the start of the next; zero for parts that were merged away.
    next: Vec<usize>,
    /// For the start of each part, the start of the previous one.
    previous: Vec<usize>,
    /// Pairs of parts that can merge: rank of the union, its start, its end. The lowest rank merges first, then the
    /// leftmost.
    pairs: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl Merger {
    /// Returns the number of tokens of a piece that is not a token itself.
    fn tokens(&mut self, piece: &[u8]) -> usize {
        self.next.clear();
        self.next.extend(1..=piece.len());
        self.previous.clear();
        self.previous.extend((0..piece.len()).map(|start| start.saturating_sub(1)));
        self.pairs.clear();
        for start in 0..piece.len() - 1 {
            self.push_pair(piece, start, start + 2);
        }
        let mut parts = piece.len();
        while let Some(Reverse((_, start, end))) = self.pairs.pop() {
            let middle = self.next[start];
            // An earlier merge may have consumed either half.
            if middle == 0 || middle == piece.len() || self.next[middle] != end {
                continue;
            }
            self.next[start] = end;
            self.next[middle] = 0;
            parts -= 1;
            if end < piece.len() {
                self.previous[end] = start;
                self.push_pair(piece, start, self.next[end]);
            }
            if start > 0 {
                self.push_pair(piece, self.previous[start], end);
            }
        }
        parts
    }

    fn push_pair(&mut self, piece: &[u8], start: usize, end: usize) {
        if let Some(rank) = rank(&piece[start..end]) {
            self.pairs.push(Reverse((rank, start, end)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::{Counter, MAX_CACHED, count};

    static ORACLE: LazyLock<tiktoken_rs::CoreBPE> = LazyLock::new(|| tiktoken_rs::cl100k_base().unwrap());

    fn check(text: &str) {
        assert_eq!(count(text), ORACLE.encode_ordinary(text).len(), "{text:?}");
    }

    #[test]
    fn counts_like_tiktoken() {
        for text in [
            "",
            " ",
            "\n",
            "a",
            "   \n\t  x  ",
            "trailing  \n\n",
            "it's IT'S we'll 'ſ 'LL 've'",
            "def before_request(self, f: T_before_request) -> T_before_request:\n    return f\r\n\r\n",
            "1234567 ٣٤٥٦ ½ Ⅷ",
            "naïve Straße 漢字かな 🙂🙂 e\u{301} \u{200d}\u{feff}",
            "<|endoftext|>",
            "{\"a\":[1,2,3]},\n",
        ] {
            check(text);
        }
        check(&"ab".repeat(3_000));
        check(&"-=".repeat(3_000));
        check(include_str!("tokens.rs"));
    }

    #[test]
    fn cached_counts_equal_uncached_counts() {
        let mut counter = Counter::default();
        for number in 0..2 * MAX_CACHED {
            let text = format!(" qzx{}", number % (MAX_CACHED + 7));
            assert_eq!(counter.count(&text), count(&text));
        }
        assert!(counter.cache.len() <= MAX_CACHED);
        let long = "ab".repeat(3_000);
        assert_eq!((counter.count(&long), counter.count(&long)), (count(&long), count(&long)));
    }

    #[test]
    fn line_counts_add_up() {
        let (one, two) = ("@0 fn a.py.f 0.91 walk\n", "# a.py:12 def f() -> {}\n");
        assert_eq!(count(one) + count(two), count(&format!("{one}{two}")));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn any_text_counts_like_tiktoken(text in "\\PC{0,80}") {
            check(&text);
        }

        #[test]
        fn spaces_and_code_count_like_tiktoken(text in "[ \\t\\r\\n'a-zA-Z_(){}0-9é\u{2028}漢.<]{0,120}") {
            check(&text);
        }
    }
}
