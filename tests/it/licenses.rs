//! Licenses of the dependencies: every one can be met by a program under MIT or Apache-2.0.

use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

/// Licenses that a dependency may have, as SPDX identifiers.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // Of data only: the certificates of authorities.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "WTFPL",
    "Zlib",
];

/// Returns whether an SPDX expression can be met with allowed licenses only. The old form `MIT/Apache-2.0` is accepted.
fn is_allowed(expression: &str) -> bool {
    let parsed = Expression::parse_mode(expression, ParseMode::LAX);
    parsed.is_ok_and(|parsed| {
        parsed.evaluate(|required| required.license.id().is_some_and(|id| ALLOWED.contains(&id.name)))
    })
}

#[test]
fn dependencies_have_permissive_licenses() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "cargo metadata lists only {} packages", packages.len());
    let refused: Vec<String> = (packages.iter())
        .map(|package| (package["name"].as_str().unwrap(), package["license"].as_str().unwrap_or("none")))
        .filter(|(_, license)| !is_allowed(license))
        .map(|(name, license)| format!("{name}: {license}"))
        .collect();
    assert!(refused.is_empty(), "licenses that tests/it/licenses.rs does not list:\n{}", refused.join("\n"));
}

#[test]
fn license_expressions_are_understood() {
    for allowed in ["MIT", "MIT OR GPL-3.0", "MIT/Apache-2.0", "(MIT OR GPL-2.0) AND Zlib"] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in ["GPL-3.0-only", "MIT AND GPL-3.0", "(MIT OR Zlib) AND GPL-2.0", "none", ""] {
        assert!(!is_allowed(refused), "{refused}");
    }
}
