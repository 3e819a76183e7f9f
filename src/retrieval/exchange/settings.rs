//! Settings of the exchange: whether agents' requests are journaled.

use crate::config::{ConfigError, UserConfig};

/// The environment variable that switches the journal off with `off`, `0`, `false` or `no`.
pub const JOURNAL_VARIABLE: &str = "KNOWING_JOURNAL";

/// Returns whether requests of agents are journaled: unless `KNOWING_JOURNAL` or `[agents] journal` in the user's
/// `config.toml` switches it off.
///
/// # Errors
/// When the variable is not set, and the settings can't be read: they might switch it off.
pub fn is_journal_enabled() -> Result<bool, ConfigError> {
    match std::env::var(JOURNAL_VARIABLE) {
        Ok(value) => Ok(is_on(&value)),
        Err(_) => Ok(UserConfig::load().agents?.journal),
    }
}

fn is_on(value: &str) -> bool {
    !["off", "0", "false", "no"].contains(&value.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_switches_off() {
        assert!(["on", "1", "", "yes"].into_iter().all(is_on));
        assert!(["off", "OFF", "0", " false ", "no"].into_iter().all(|value| !is_on(value)));
    }
}
