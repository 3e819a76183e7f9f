//! Separates replies of the terminal about its background, and pasted texts, from what the user types.
//!
//! A pasted text is kept from termina's parser, which reads an unfinished one from its start again with each piece, and
//! from the search for replies.

use termina::escape::csi::{Csi, Mode, ThemeMode};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::{Event, Parser};

use crate::tui::appearance::Background;

/// The start of a reply to the query of the background color, and of a report that the color scheme changed.
const COLOR: &[u8] = b"\x1b]11;";
const SCHEME: &[u8] = b"\x1b[?997;";
/// The marks at the start and at the end of a pasted text.
const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// Longer sequences are not replies.
const MAX_REPLY: usize = 64;

/// A part of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Typed(Vec<u8>),
    /// Alt and `]`, which is the start of a reply that does not follow.
    AltBracket,
    /// A whole reply.
    Reply(Vec<u8>),
    /// A whole pasted text.
    Pasted(Vec<u8>),
}

/// Splits the input. It holds back the start of a reply, or of a pasted text, until its end is read.
#[derive(Debug, Default)]
pub struct Splitter {
    held: Vec<u8>,
    /// The pasted text so far, while its end is not read.
    pasted: Option<Vec<u8>>,
}

/// The start of a piece of input.
enum Start {
    Reply(usize),
    Paste,
    /// The start of a reply or of a pasted text that may follow.
    Unfinished,
    AltBracket,
    Typed,
}

impl Splitter {
    /// Returns whether the start of a reply is held back.
    pub fn is_waiting(&self) -> bool {
        !self.held.is_empty()
    }

    /// Adds input. Returns its parts, in order.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Part> {
        self.held.extend_from_slice(bytes);
        self.split(false)
    }

    /// Returns what was held back as typed.
    pub fn release(&mut self) -> Vec<Part> {
        self.split(true)
    }

    fn split(&mut self, is_end: bool) -> Vec<Part> {
        let (mut input, mut parts) = (std::mem::take(&mut self.held), Vec::new());
        loop {
            if let Some(mut pasted) = self.pasted.take() {
                // The end may be read in two pieces.
                let searched = pasted.len().saturating_sub(PASTE_END.len() - 1);
                pasted.append(&mut input);
                let end = pasted[searched..].windows(PASTE_END.len()).position(|bytes| bytes == PASTE_END);
                let Some(end) = end.map(|end| searched + end) else {
                    self.pasted = Some(pasted);
                    return parts;
                };
                input = pasted.split_off(end + PASTE_END.len());
                pasted.truncate(end);
                parts.push(Part::Pasted(pasted));
            }
            let used = self.split_keys(&input, is_end, &mut parts);
            if self.pasted.is_none() {
                return parts;
            }
            input.drain(..used);
        }
    }

    /// Splits the input up to the start of a pasted text. Returns the number of bytes up to there.
    fn split_keys(&mut self, input: &[u8], is_end: bool, parts: &mut Vec<Part>) -> usize {
        let (mut typed, mut from) = (Vec::new(), 0);
        while from < input.len() {
            let rest = &input[from..];
            let (part, count) = match start(rest) {
                Start::Unfinished if !is_end => {
                    self.held = rest.to_vec();
                    break;
                }
                Start::Paste => {
                    self.pasted = Some(Vec::new());
                    from += PASTE.len();
                    break;
                }
                Start::Reply(count) => (Part::Reply(rest[..count].to_vec()), count),
                Start::AltBracket => (Part::AltBracket, 2),
                Start::Unfinished if rest.starts_with(b"\x1b]") => (Part::AltBracket, 2),
                Start::Unfinished | Start::Typed => {
                    typed.push(rest[0]);
                    from += 1;
                    continue;
                }
            };
            if !typed.is_empty() {
                parts.push(Part::Typed(std::mem::take(&mut typed)));
            }
            parts.push(part);
            from += count;
        }
        if !typed.is_empty() {
            parts.push(Part::Typed(typed));
        }
        from
    }
}

fn start(input: &[u8]) -> Start {
    // A single escape is the key: waiting for more would delay it.
    if input.len() < 2 || input[0] != 0x1b {
        return Start::Typed;
    }
    if input.starts_with(PASTE) {
        return Start::Paste;
    }
    if PASTE.starts_with(input) {
        return Start::Unfinished;
    }
    let is_color = input[1] == b']';
    let other = if is_color { Start::AltBracket } else { Start::Typed };
    let opening = if is_color { COLOR } else { SCHEME };
    if input.len() < opening.len() {
        return if opening.starts_with(input) { Start::Unfinished } else { other };
    }
    if !input.starts_with(opening) {
        return other;
    }
    for (index, byte) in input.iter().enumerate().skip(opening.len()).take(MAX_REPLY) {
        match (is_color, byte) {
            (true, 0x07) | (false, b'n') => return Start::Reply(index + 1),
            (true, 0x1b) => match input.get(index + 1) {
                Some(b'\\') => return Start::Reply(index + 2),
                Some(_) => return other,
                None => return Start::Unfinished,
            },
            (true, b' '..=b'~') | (false, b'0'..=b'9') => {}
            _ => return other,
        }
    }
    if input.len() < opening.len() + MAX_REPLY { Start::Unfinished } else { other }
}

/// Returns the background that a reply reports.
pub fn background(reply: &[u8]) -> Option<Background> {
    let mut parser = Parser::default();
    parser.parse(reply, false);
    match parser.pop()? {
        Event::Csi(Csi::Mode(Mode::ReportTheme(ThemeMode::Dark))) => Some(Background::Dark),
        Event::Csi(Csi::Mode(Mode::ReportTheme(ThemeMode::Light))) => Some(Background::Light),
        Event::Osc(Osc::ChangeDynamicColors(DynamicColorNumber::TextBackgroundColor, colors)) => match colors[..] {
            [ColorOrQuery::Color(color)] => Some(Background::of_color([color.red, color.green, color.blue])),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn typed(text: &str) -> Part {
        Part::Typed(text.as_bytes().to_vec())
    }

    #[test]
    fn replies_are_separated_from_keys() {
        let mut splitter = Splitter::default();
        let input = b"ab\x1b]11;rgb:ffff/ffff/ffff\x1b\\c\x1b[?997;1nd\x1b[A\x1b";
        let reply = |text: &str| Part::Reply(text.as_bytes().to_vec());
        let expected = [
            typed("ab"),
            reply("\x1b]11;rgb:ffff/ffff/ffff\x1b\\"),
            typed("c"),
            reply("\x1b[?997;1n"),
            typed("d\x1b[A\x1b"),
        ];
        assert_eq!(splitter.push(input), expected);
        assert!(!splitter.is_waiting(), "the escape key is not delayed");
    }

    #[test]
    fn keys_that_resemble_a_reply_are_typed() {
        let mut splitter = Splitter::default();
        assert_eq!(splitter.push(b"\x1b]x"), [Part::AltBracket, typed("x")]);
        assert_eq!(splitter.push(b"\x1b]"), []);
        assert!(splitter.is_waiting());
        assert_eq!(splitter.release(), [Part::AltBracket]);
        assert_eq!(splitter.push(b"\x1b["), []);
        assert_eq!(splitter.push(b"B"), [typed("\x1b[B")]);
        let endless = [COLOR, &[b'x'; 2 * MAX_REPLY]].concat();
        assert_eq!(splitter.push(&endless)[0], Part::AltBracket);
    }

    #[test]
    fn pasted_texts_are_not_searched_for_replies() {
        let text = b"a\x1b]b\x1b]11;rgb:0000/0000/0000\x07\x1b[201\x1b[A\xc3\xa9";
        let input = [b"x\x1b[200~", &text[..], b"\x1b[201~y\x1b[200~\x1b[201~\x1b[2~"].concat();
        let expected =
            [typed("x"), Part::Pasted(text.to_vec()), typed("y"), Part::Pasted(Vec::new()), typed("\x1b[2~")];
        assert_eq!(Splitter::default().push(&input), expected);
        for cut in 0..input.len() {
            let mut splitter = Splitter::default();
            let mut parts = splitter.push(&input[..cut]);
            assert!(!splitter.is_waiting() || splitter.pasted.is_none(), "a pasted text has no time limit");
            parts.extend(splitter.push(&input[cut..]));
            let pasted: Vec<&Part> = parts.iter().filter(|part| matches!(part, Part::Pasted(_))).collect();
            // An escape at the end of a piece is the key.
            let is_key = |at: usize| cut == at + 1;
            let second = input.len() - b"\x1b[200~\x1b[201~\x1b[2~".len();
            if !is_key(1) && !is_key(second) {
                assert_eq!(pasted, [&expected[1], &expected[3]], "cut at {cut}");
            }
        }
    }

    #[test]
    fn backgrounds_are_dark_or_light() {
        let found = |text: &str| background(text.as_bytes());
        assert_eq!(found("\x1b]11;rgb:2828/2828/2828\x07"), Some(Background::Dark));
        assert_eq!(found("\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\"), Some(Background::Light));
        assert_eq!([found("\x1b[?997;1n"), found("\x1b[?997;2n")], [Some(Background::Dark), Some(Background::Light)]);
        assert_eq!([found("\x1b[?997;7n"), found("\x1b]11;?\x07"), found("")], [None; 3]);
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(keys in "[a-z\u{1b}\\[]{0,12}", cuts in proptest::collection::vec(2_usize..9, 0..9)) {
            // No piece ends with an escape, which is a key of its own.
            let reply = "\x1b]11;rgb:0000/0000/0000\x07";
            let input = format!("{keys}x{reply}y").into_bytes();
            let (mut splitter, mut parts, mut rest) = (Splitter::default(), Vec::new(), &input[..]);
            for cut in cuts {
                let cut = cut.min(rest.len());
                if cut > 0 && rest[cut - 1] != 0x1b {
                    parts.extend(splitter.push(&rest[..cut]));
                    rest = &rest[cut..];
                }
            }
            parts.extend(splitter.push(rest));
            parts.extend(splitter.release());
            let replies: Vec<&Part> = parts.iter().filter(|part| matches!(part, Part::Reply(_))).collect();
            prop_assert_eq!(replies, [&Part::Reply(reply.into())]);
            let letters = |bytes: &[u8]| bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count();
            let left: usize = parts.iter().map(|part| if let Part::Typed(bytes) = part { letters(bytes) } else { 0 }).sum();
            prop_assert_eq!(left, letters(keys.as_bytes()) + 2);
        }
    }
}
