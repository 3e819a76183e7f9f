//! What the checkout says now, compared with what the store knows.

use rayon::ThreadPool;

use super::extract::{self, Outcome, Parsed};
use super::plan::{Kept, plan, unread};
use super::report::{Clock, Listener, Phase};
use crate::resolve::input::Manifest;
use crate::scan::{Discovery, Repository, read_manifests};
use crate::store::{FileRow, SkipRow};

/// The checkout's files, sorted by what is to be done with them.
pub(super) struct Checkout {
    /// As the store has them.
    pub(super) kept: Vec<Kept>,
    /// New or changed.
    pub(super) parsed: Vec<Parsed>,
    /// Rows whose size or time changed, but not their content; also among `kept`.
    pub(super) touched: Vec<FileRow>,
    /// Rows whose file is gone or left out now.
    pub(super) removed: Vec<FileRow>,
    pub(super) skips: Vec<SkipRow>,
    pub(super) manifests: Vec<Manifest>,
    pub(super) manifest_hashes: Vec<(String, [u8; 32])>,
}

impl Checkout {
    /// True when some file is new, changed or gone.
    pub(super) fn has_changes(&self) -> bool {
        !self.parsed.is_empty() || !self.removed.is_empty()
    }

    /// Reads and parses what differs from `known`.
    pub(super) fn read(
        repository: &Repository,
        discovery: Discovery,
        known: (Vec<FileRow>, &[SkipRow]),
        started_ns: i64,
        pool: &ThreadPool,
        listener: &dyn Listener,
        clock: &mut Clock,
    ) -> Checkout {
        listener.found(&discovery.files);
        let (manifests, manifest_skips) = read_manifests(&repository.root, &discovery.manifests);
        let hash = |manifest: &Manifest| *blake3::hash(manifest.text.as_bytes()).as_bytes();
        let manifest_hashes = manifests.iter().map(|manifest| (manifest.path.clone(), hash(manifest))).collect();
        let plan = plan(discovery, known.0, known.1);
        clock.end(Phase::Scan);
        let outcomes = pool.install(|| extract::extract(repository, plan.candidates, started_ns, listener));
        let mut checkout = Checkout {
            kept: plan.kept,
            parsed: Vec::new(),
            touched: Vec::new(),
            removed: plan.removed,
            skips: plan.skips,
            manifests,
            manifest_hashes,
        };
        checkout.skips.extend(manifest_skips.into_iter().map(unread));
        for outcome in outcomes {
            match outcome {
                Outcome::Parsed(parsed) => checkout.parsed.push(*parsed),
                Outcome::Touched(row, language) => {
                    checkout.touched.push(row.clone());
                    checkout.kept.push(Kept { row, language });
                }
                Outcome::Skipped(skip, known) => {
                    checkout.skips.push(skip);
                    checkout.removed.extend(known);
                }
            }
        }
        checkout.skips.sort_unstable();
        checkout.skips.dedup_by(|one, two| one.path == two.path);
        clock.end(Phase::Parse);
        checkout
    }
}
