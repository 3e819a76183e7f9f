//! A key press, with its notation in keymap and help.

use std::fmt;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key press, reduced to what every terminal sends; a letter carries its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub control: bool,
    pub alt: bool,
}

impl Key {
    /// Parses `x`, `C-x`, `A-Enter`, `S-Tab`, `F1`.
    pub fn parse(text: &str) -> Option<Key> {
        let mut rest = text;
        let (mut control, mut alt) = (false, false);
        while let Some((prefix, tail)) = rest.split_once('-').filter(|(_, tail)| !tail.is_empty()) {
            match prefix {
                "C" => control = true,
                "A" => alt = true,
                "S" if tail == "Tab" => return Some(Key { code: KeyCode::BackTab, control, alt }),
                _ => return None,
            }
            rest = tail;
        }
        let code = NAMED.iter().find(|(_, name)| *name == rest).map(|(code, _)| *code).or_else(|| {
            let mut letters = rest.chars();
            letters.next().filter(|_| letters.next().is_none()).map(KeyCode::Char)
        })?;
        Some(Key { code, control, alt })
    }

    /// Parses a sequence of keys separated by spaces, such as `g g`.
    pub fn sequence(text: &str) -> Option<Vec<Key>> {
        text.split(' ').map(Key::parse).collect()
    }

    /// Returns whether terminals can send the key as itself.
    pub fn can_be_sent(self) -> bool {
        match self.code {
            // Control clears bits of a letter: some letters become other keys, and case is lost.
            KeyCode::Char(letter) if self.control => {
                matches!(letter, 'a'..='z' | ' ' | '\\' | ']' | '^' | '_') && !matches!(letter, 'h' | 'i' | 'j' | 'm')
            }
            // These start escape sequences.
            KeyCode::Char(letter) if self.alt => !matches!(letter, '[' | 'O'),
            KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab | KeyCode::Backspace | KeyCode::Esc => !self.control,
            _ => true,
        }
    }

    /// Returns the character that the key types, if any.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if !self.control && !self.alt => Some(letter),
            _ => None,
        }
    }
}

/// Keys with names.
const NAMED: &[(KeyCode, &str)] = &[
    (KeyCode::Enter, "Enter"),
    (KeyCode::Esc, "Esc"),
    (KeyCode::Tab, "Tab"),
    (KeyCode::BackTab, "S-Tab"),
    (KeyCode::Backspace, "Backspace"),
    (KeyCode::Delete, "Delete"),
    (KeyCode::Up, "Up"),
    (KeyCode::Down, "Down"),
    (KeyCode::Left, "Left"),
    (KeyCode::Right, "Right"),
    (KeyCode::Home, "Home"),
    (KeyCode::End, "End"),
    (KeyCode::PageUp, "PageUp"),
    (KeyCode::PageDown, "PageDown"),
    (KeyCode::Char(' '), "Space"),
    (KeyCode::F(1), "F1"),
    (KeyCode::F(2), "F2"),
    (KeyCode::F(3), "F3"),
    (KeyCode::F(4), "F4"),
    (KeyCode::F(5), "F5"),
    (KeyCode::F(6), "F6"),
    (KeyCode::F(7), "F7"),
    (KeyCode::F(8), "F8"),
    (KeyCode::F(9), "F9"),
    (KeyCode::F(10), "F10"),
    (KeyCode::F(11), "F11"),
    (KeyCode::F(12), "F12"),
];

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Key {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let code = match event.code {
            // Each of these keys sends the same byte as a digit; crossterm reports the digit.
            KeyCode::Char('4') if control => KeyCode::Char('\\'),
            KeyCode::Char('5') if control => KeyCode::Char(']'),
            KeyCode::Char('6') if control => KeyCode::Char('^'),
            KeyCode::Char('7') if control => KeyCode::Char('_'),
            code => code,
        };
        // Terminals with kitty's protocol tell these keys apart; all others send the key on the right.
        let (code, control) = match code {
            KeyCode::Char('[') if control => (KeyCode::Esc, false),
            KeyCode::Char('i') if control => (KeyCode::Tab, false),
            KeyCode::Char('m') if control => (KeyCode::Enter, false),
            KeyCode::Char('h') if control => (KeyCode::Backspace, false),
            code => (code, control),
        };
        Key { code, control, alt: event.modifiers.contains(KeyModifiers::ALT) }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.control {
            formatter.write_str("C-")?;
        }
        if self.alt {
            formatter.write_str("A-")?;
        }
        match NAMED.iter().find(|(code, _)| *code == self.code) {
            Some((_, name)) => formatter.write_str(name),
            None => match self.code {
                KeyCode::Char(letter) => write!(formatter, "{letter}"),
                other => write!(formatter, "{other:?}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_inverts_display() {
        for text in ["x", "C-d", "A-Enter", "S-Tab", "F1", "G", "<", "-", "Space", "C-A-x"] {
            assert_eq!(Key::parse(text).map(|key| key.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Key::sequence("g g").map(|keys| keys.len()), Some(2));
        assert_eq!(Key::parse("Hyper-x"), None);
        assert_eq!(Key::parse(""), None);
    }

    #[test]
    fn control_digits_are_mapped_to_their_keys() {
        for (digit, key) in [('4', "C-\\"), ('5', "C-]"), ('6', "C-^"), ('7', "C-_")] {
            let event = KeyEvent::new(KeyCode::Char(digit), KeyModifiers::CONTROL);
            assert_eq!(Some(Key::from(event)), Key::parse(key));
        }
    }

    #[test]
    fn control_letters_of_other_keys_are_those_keys() {
        for (letter, key) in [('[', "Esc"), ('i', "Tab"), ('m', "Enter"), ('h', "Backspace"), ('x', "C-x")] {
            let event = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(Some(Key::from(event)), Key::parse(key));
        }
    }

    #[test]
    fn ambiguous_keys_cannot_be_sent() {
        for text in ["C-i", "C-m", "C-h", "C-j", "C-[", "C-A", "C-1", "C-Enter", "C-Tab", "A-["] {
            assert!(!Key::parse(text).unwrap().can_be_sent(), "{text}");
        }
        for text in ["C-c", "C-Space", "A-Enter", "A-Backspace", "S-Tab", "C-Left", "F12", "+", "é"] {
            assert!(Key::parse(text).unwrap().can_be_sent(), "{text}");
        }
    }
}
