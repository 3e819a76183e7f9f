//! `--memory`: an amount of memory.

/// The value of `--memory` is not an amount of memory.
#[derive(Debug, thiserror::Error)]
#[error("expected an amount of memory, such as 2GB or 500MB")]
pub struct MemoryError;

/// Parses an amount of memory with its unit; returns the number of bytes.
///
/// # Errors
/// When `text` is not a positive number with a unit.
pub fn memory(text: &str) -> Result<u64, MemoryError> {
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).ok_or(MemoryError)?;
    let (number, unit) = text.split_at(unit);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "KB" => 1e3,
        "MB" | "M" => 1e6,
        "GB" | "G" => 1e9,
        "TB" | "T" => 1e12,
        _ => return Err(MemoryError),
    };
    let is_number = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number =
        Some(number.trim_end()).filter(|number| is_number(number)).and_then(|number| number.parse::<f64>().ok());
    number.map(|number| (number * factor) as u64).filter(|bytes| *bytes > 0).ok_or(MemoryError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_have_units() {
        for (text, bytes) in [("2GB", 2_000_000_000), ("1.5 gb", 1_500_000_000), ("500M", 500_000_000), ("7kB", 7_000)]
        {
            assert_eq!(memory(text).unwrap(), bytes, "{text}");
        }
        for wrong in ["", "2", "GB", "0GB", "-2GB", "2 PB", "1e3MB", "1.2.3MB", "infMB", "2GiB"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
