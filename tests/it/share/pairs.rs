//! Random pairs of a published and a current state: the fetched index equals a rebuild.
//!
//! `KNOWING_PAIRS` sets the number of pairs, `KNOWING_PAIRS_SEED` the seed.

use super::{Team, assert_as_rebuilt, index_from, origin};
use crate::index::source::{Dice, PATHS, source};

/// Number of pairs, unless `KNOWING_PAIRS` says another.
const PAIRS: u64 = 3;
/// Number of commits of each repository.
const COMMITS: u64 = 5;

#[test]
fn random_pairs_equal_a_rebuild() {
    let number = |name: &str, default| std::env::var(name).ok().map_or(default, |number| number.parse().unwrap());
    let (pairs, seed) = (number("KNOWING_PAIRS", PAIRS), number("KNOWING_PAIRS_SEED", 1));
    for pair in 0..pairs {
        let dice = &mut Dice::new(seed + pair);
        let mut team = Team::new();
        let mut commits = vec![team.head()];
        let published = dice.roll(COMMITS);
        for number in 0..COMMITS {
            if number == published {
                team.publish();
            }
            let texts: Vec<(&str, String)> = (0..=dice.roll(4))
                .map(|_| (PATHS[dice.roll(PATHS.len() as u64) as usize], dice.roll(1_000)))
                .map(|(path, seed)| (path, source(path, seed)))
                .collect();
            let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
            if dice.roll(3) == 0 {
                let removed = team.root().join(PATHS[dice.roll(PATHS.len() as u64) as usize]);
                std::fs::remove_file(removed).unwrap_or_default();
            }
            commits.push(team.commit(&files));
        }
        let current = team.clone_at("current", commits[dice.roll(commits.len() as u64) as usize]);
        // Uncommitted edits.
        for _ in 0..dice.roll(3) {
            let path = PATHS[dice.roll(PATHS.len() as u64) as usize];
            std::fs::create_dir_all(current.join(path).parent().unwrap()).unwrap();
            std::fs::write(current.join(path), source(path, dice.roll(1_000))).unwrap();
        }
        let (_, fetch) = index_from(&current, &team.url());
        println!("pair {pair}: {:?}", origin(&fetch));
        assert_as_rebuilt(&current);
    }
}
