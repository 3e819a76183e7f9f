//! Translates termina's events to those of crossterm, which the explorer understands.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyEventState, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use termina::event as termina;

/// Returns the event; `None` for replies and for keys that the explorer does not use.
pub fn translate(event: termina::Event) -> Option<Event> {
    match event {
        termina::Event::Key(key) => {
            let kind = match key.kind {
                termina::KeyEventKind::Press => KeyEventKind::Press,
                termina::KeyEventKind::Release => KeyEventKind::Release,
                termina::KeyEventKind::Repeat => KeyEventKind::Repeat,
            };
            let (code, modifiers) = (key_code(key.code)?, modifiers(key.modifiers));
            Some(Event::Key(KeyEvent { code, modifiers, kind, state: KeyEventState::NONE }))
        }
        termina::Event::Mouse(mouse) => {
            let kind = mouse_kind(mouse.kind);
            let (column, row, modifiers) = (mouse.column, mouse.row, modifiers(mouse.modifiers));
            Some(Event::Mouse(MouseEvent { kind, column, row, modifiers }))
        }
        termina::Event::Paste(text) => Some(Event::Paste(text)),
        termina::Event::FocusIn => Some(Event::FocusGained),
        termina::Event::FocusOut => Some(Event::FocusLost),
        _ => None,
    }
}

/// Returns the event of Alt and `]`.
pub fn alt_bracket() -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT))
}

fn key_code(code: termina::KeyCode) -> Option<KeyCode> {
    Some(match code {
        termina::KeyCode::Char(letter) => KeyCode::Char(letter),
        termina::KeyCode::Enter => KeyCode::Enter,
        termina::KeyCode::Backspace => KeyCode::Backspace,
        termina::KeyCode::Tab => KeyCode::Tab,
        termina::KeyCode::Escape => KeyCode::Esc,
        termina::KeyCode::Left => KeyCode::Left,
        termina::KeyCode::Right => KeyCode::Right,
        termina::KeyCode::Up => KeyCode::Up,
        termina::KeyCode::Down => KeyCode::Down,
        termina::KeyCode::Home => KeyCode::Home,
        termina::KeyCode::End => KeyCode::End,
        termina::KeyCode::BackTab => KeyCode::BackTab,
        termina::KeyCode::PageUp => KeyCode::PageUp,
        termina::KeyCode::PageDown => KeyCode::PageDown,
        termina::KeyCode::Insert => KeyCode::Insert,
        termina::KeyCode::Delete => KeyCode::Delete,
        termina::KeyCode::KeypadBegin => KeyCode::KeypadBegin,
        termina::KeyCode::Menu => KeyCode::Menu,
        termina::KeyCode::Function(number) => KeyCode::F(number),
        _ => return None,
    })
}

fn modifiers(modifiers: termina::Modifiers) -> KeyModifiers {
    let pairs = [
        (termina::Modifiers::SHIFT, KeyModifiers::SHIFT),
        (termina::Modifiers::ALT, KeyModifiers::ALT),
        (termina::Modifiers::CONTROL, KeyModifiers::CONTROL),
        (termina::Modifiers::SUPER, KeyModifiers::SUPER),
        (termina::Modifiers::HYPER, KeyModifiers::HYPER),
        (termina::Modifiers::META, KeyModifiers::META),
    ];
    pairs.into_iter().filter(|(one, _)| modifiers.contains(*one)).map(|(_, other)| other).collect()
}

fn mouse_kind(kind: termina::MouseEventKind) -> MouseEventKind {
    let button = |button| match button {
        termina::MouseButton::Left => MouseButton::Left,
        termina::MouseButton::Right => MouseButton::Right,
        termina::MouseButton::Middle => MouseButton::Middle,
    };
    match kind {
        termina::MouseEventKind::Down(pressed) => MouseEventKind::Down(button(pressed)),
        termina::MouseEventKind::Up(pressed) => MouseEventKind::Up(button(pressed)),
        termina::MouseEventKind::Drag(pressed) => MouseEventKind::Drag(button(pressed)),
        termina::MouseEventKind::Moved => MouseEventKind::Moved,
        termina::MouseEventKind::ScrollDown => MouseEventKind::ScrollDown,
        termina::MouseEventKind::ScrollUp => MouseEventKind::ScrollUp,
        termina::MouseEventKind::ScrollLeft => MouseEventKind::ScrollLeft,
        termina::MouseEventKind::ScrollRight => MouseEventKind::ScrollRight,
    }
}

#[cfg(test)]
mod tests {
    use ::termina::Parser;

    use super::*;

    fn events(bytes: &[u8]) -> Vec<Event> {
        let mut parser = Parser::default();
        parser.parse(bytes, false);
        std::iter::from_fn(|| parser.pop()).filter_map(translate).collect()
    }

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_are_those_of_crossterm() {
        use KeyModifiers as With;
        let expected = [
            ("a", key(KeyCode::Char('a'), With::NONE)),
            ("A", key(KeyCode::Char('A'), With::SHIFT)),
            ("é", key(KeyCode::Char('é'), With::NONE)),
            ("\r", key(KeyCode::Enter, With::NONE)),
            ("\t", key(KeyCode::Tab, With::NONE)),
            ("\x7f", key(KeyCode::Backspace, With::NONE)),
            ("\x03", key(KeyCode::Char('c'), With::CONTROL)),
            ("\n", key(KeyCode::Char('j'), With::CONTROL)),
            ("\x1b", key(KeyCode::Esc, With::NONE)),
            ("\x1bx", key(KeyCode::Char('x'), With::ALT)),
            ("\x1b[A", key(KeyCode::Up, With::NONE)),
            ("\x1bOP", key(KeyCode::F(1), With::NONE)),
            ("\x1b[3~", key(KeyCode::Delete, With::NONE)),
            ("\x1b[Z", key(KeyCode::BackTab, With::SHIFT)),
            ("\x1b[1;5C", key(KeyCode::Right, With::CONTROL)),
            ("\x1b[97;5u", key(KeyCode::Char('a'), With::CONTROL)),
        ];
        for (bytes, event) in expected {
            assert_eq!(events(bytes.as_bytes()), [event], "{bytes:?}");
        }
    }

    #[test]
    fn pastes_and_mouse_reports_are_translated() {
        assert_eq!(events(b"\x1b[200~a\nb\x1b[201~"), [Event::Paste("a\nb".into())]);
        let click = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 4,
            row: 6,
            modifiers: KeyModifiers::NONE,
        };
        assert_eq!(events(b"\x1b[<0;5;7M"), [Event::Mouse(click)]);
        let Event::Mouse(wheel) = &events(b"\x1b[<65;1;1M")[0] else { panic!("a mouse report") };
        assert_eq!(wheel.kind, MouseEventKind::ScrollDown);
        assert_eq!(events(b"\x1b[?1;2c"), [], "replies are not events");
    }
}
