//! The messages of the session: the last line shows the newest, a window shows all.

use std::time::{Duration, Instant};

/// Older messages are dropped.
const MAX_MESSAGES: usize = 500;

/// The message in the last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub is_error: bool,
}

/// A message of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMessage {
    pub text: String,
    pub is_error: bool,
    /// The time of the session at which it was last shown; `None` before the first event.
    pub at: Option<Instant>,
    /// The number of times it was shown in a row.
    pub count: usize,
}

/// The messages of the session, oldest first.
#[derive(Debug, Clone, Default)]
pub struct MessageLog {
    pub list: Vec<LoggedMessage>,
}

impl MessageLog {
    /// Adds a message. The same message again counts and moves no other.
    pub fn push(&mut self, message: Message, now: Option<Instant>) {
        let Message { text, is_error } = message;
        if let Some(last) = self.list.last_mut().filter(|last| last.text == text && last.is_error == is_error) {
            last.count += 1;
            last.at = now;
            return;
        }
        self.list.push(LoggedMessage { text, is_error, at: now, count: 1 });
        self.list.drain(..self.list.len().saturating_sub(MAX_MESSAGES));
    }
}

/// Formats an age with its unit: `now`, `20 s ago`, `4 min ago`, `2 h ago`, `3 d ago`.
pub fn ago(age: Duration) -> String {
    match age.as_secs() {
        0..5 => "now".to_owned(),
        seconds @ 5..60 => format!("{seconds} s ago"),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_messages_are_counted_and_old_ones_dropped() {
        let mut log = MessageLog::default();
        let message = |text: &str, is_error| Message { text: text.into(), is_error };
        log.push(message("a", false), None);
        log.push(message("a", false), None);
        log.push(message("a", true), None);
        assert_eq!(log.list.iter().map(|logged| logged.count).collect::<Vec<_>>(), [2, 1]);
        (0..2 * MAX_MESSAGES).for_each(|number| log.push(message(&number.to_string(), false), None));
        assert_eq!(log.list.len(), MAX_MESSAGES);
    }

    #[test]
    fn ages_have_a_unit() {
        let ages = [0, 20, 60, 299, 3600, 9000].map(|seconds| ago(Duration::from_secs(seconds)));
        assert_eq!(ages, ["now", "20 s ago", "1 min ago", "4 min ago", "1 h ago", "2 h ago"]);
    }
}
