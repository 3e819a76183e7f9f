//! Symbols in the files of the exchange, by identity and with what a person reads.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::{Symbol, SymbolId};
use crate::text::prefix;

/// Limits of texts, in bytes.
const MAX_NAME_BYTES: usize = 300;
const MAX_PATH_BYTES: usize = 1_000;

/// A pinned, dropped or sent symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SteeredSymbol {
    #[serde(with = "hex_id")]
    pub id: SymbolId,
    /// The name qualified within its file, such as `Flask.route`.
    #[serde(default)]
    pub name: String,
    /// The path relative to the repository's root; empty for a symbol without a file.
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
}

impl SteeredSymbol {
    /// Creates the entry of a symbol.
    pub fn new(symbol: &Symbol) -> SteeredSymbol {
        SteeredSymbol {
            id: symbol.id,
            name: name(symbol),
            file: prefix(&symbol.file, MAX_PATH_BYTES).to_owned(),
            line: symbol.span.name_line,
        }
    }

    /// Returns whether the entry could be one of this program.
    pub(super) fn is_valid(&self) -> bool {
        self.name.len() <= MAX_NAME_BYTES && is_valid_path(&self.file)
    }
}

/// Returns a symbol's name for the files of the exchange.
pub(super) fn name(symbol: &Symbol) -> String {
    prefix(&crate::render::scoped_name(symbol), MAX_NAME_BYTES).to_owned()
}

/// Returns whether a path is relative and leads to no parent folder.
pub(super) fn is_valid_path(path: &str) -> bool {
    let is_inside = |part: &str| part != ".." && part != ".";
    path.len() <= MAX_PATH_BYTES && !path.starts_with(['/', '\\']) && path.split(['/', '\\']).all(is_inside)
}

/// Identities as 32 hexadecimal digits.
pub(super) mod hex_id {
    use serde::de::Error;

    use super::{Deserialize, Deserializer, Serializer, SymbolId};

    /// Serializes an identity.
    pub fn serialize<S: Serializer>(id: &SymbolId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&id.hex())
    }

    /// Parses an identity.
    ///
    /// # Errors
    /// When it is malformed.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SymbolId, D::Error> {
        let text = String::deserialize(deserializer)?;
        SymbolId::from_hex(&text).ok_or_else(|| D::Error::custom("a symbol's identity is 32 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_hexadecimal() {
        let symbol = SteeredSymbol { id: SymbolId([7; 16]), name: "f".into(), file: "a.py".into(), line: 3 };
        let text = serde_json::to_string(&symbol).unwrap();
        assert!(text.contains(&"07".repeat(16)), "{text}");
        assert_eq!(serde_json::from_str::<SteeredSymbol>(&text).unwrap(), symbol);
        for id in ["", "07", &"+7".repeat(16)[..31], &"é".repeat(16)] {
            let text = serde_json::json!({ "id": id, "name": "f" }).to_string();
            assert!(serde_json::from_str::<SteeredSymbol>(&text).is_err(), "{id}");
        }
    }

    #[test]
    fn paths_stay_in_the_repository() {
        for path in ["", "a.py", "src/..a/b.rs"] {
            assert!(is_valid_path(path), "{path}");
        }
        for path in ["/etc/passwd", "../a", "a/../../b", "a\\..\\b", "\\a", &"x".repeat(2_000)] {
            assert!(!is_valid_path(path), "{path}");
        }
    }
}
