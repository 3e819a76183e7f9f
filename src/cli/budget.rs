//! `--budget`: a number of tokens.

/// The value of `--budget` is not a positive number.
#[derive(Debug, thiserror::Error)]
#[error("expected a number of tokens, such as 8000 or 8k")]
pub struct BudgetError;

/// Parses a positive number of tokens; the suffix `k` multiplies it by 1,000.
///
/// # Errors
/// When `text` is not a positive number, or it exceeds 32 bits.
pub fn budget(text: &str) -> Result<u32, BudgetError> {
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => (text, 1),
    };
    let tokens = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
    tokens.filter(|tokens| *tokens > 0).ok_or(BudgetError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_accepts_thousands() {
        assert_eq!([budget("8000").unwrap(), budget("8k").unwrap()], [8_000, 8_000]);
        for wrong in ["0", "0k", "-1", "k", "8 k", "abc", "9999999k", ""] {
            assert!(budget(wrong).is_err(), "{wrong}");
        }
    }
}
