//! How many random cases the property tests try, and which.

use proptest::test_runner::{Config, RngSeed};

/// The same `cases` cases on every run, so that a push fails only for what it changed. `PROPTEST_CASES` asks for more and
/// `PROPTEST_RNG_SEED` for others.
pub fn config(cases: u32, max_shrink_iters: u32) -> Config {
    let default = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    let rng_seed = if default.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { default.rng_seed };
    Config { cases, rng_seed, failure_persistence: None, max_shrink_iters, ..default }
}
