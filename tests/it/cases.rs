//! Configuration of the property tests: the number of cases and the seed.

use proptest::test_runner::{Config, RngSeed};

/// Returns a configuration with a fixed seed, so that a failure is caused by the tested change. `PROPTEST_CASES` and
/// `PROPTEST_RNG_SEED` override the number of cases and the seed.
pub fn config(cases: u32, max_shrink_iters: u32) -> Config {
    let default = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    let rng_seed = if default.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { default.rng_seed };
    Config { cases, rng_seed, failure_persistence: None, max_shrink_iters, ..default }
}
