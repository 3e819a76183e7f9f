//! The machine and moment of a run.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use super::record::Machine;

/// Returns the description of this machine. What the operating system does not tell is empty or 0.
pub fn machine() -> Machine {
    let field = |file: &str, name: &str, separator: char| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|line| line.split(separator).next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(separator)).map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let kilobytes = field("/proc/meminfo", "MemTotal", ':');
    Machine {
        cpu: field("/proc/cpuinfo", "model name", ':'),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: kilobytes.trim_end_matches(" kB").parse::<u64>().map_or(0, |kilobytes| kilobytes * 1024),
        os: field("/etc/os-release", "PRETTY_NAME", '=').trim_matches('"').to_owned(),
    }
}

/// Returns the present time in UTC by RFC 3339.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    rfc3339(seconds)
}

/// Formats seconds since 1970. The date is by Hinnant's `civil_from_days`, with years that begin in March.
fn rfc3339(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rfc_3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_795_480_597), "2026-11-24T00:36:37Z");
    }
}
