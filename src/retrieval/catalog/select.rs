//! Selects the terms of a catalog that fit its limit.

use super::codec::{MAX_CATALOG_BYTES, Terms};
use super::collect::Collected;
use super::field::Field;
use super::{Catalog, Term};

/// Returns the catalog with the most informative terms that fit [`MAX_CATALOG_BYTES`].
pub(super) fn within_limit(collected: Collected) -> Catalog {
    let Collected { catalog, importance } = collected;
    if catalog.to_bytes().len() <= MAX_CATALOG_BYTES {
        return catalog;
    }
    let mut ranked: Vec<(f64, Term)> =
        catalog.terms.iter().zip(importance).map(|(term, importance)| (value(&term, importance), term)).collect();
    ranked.sort_by(|(one, first), (two, second)| two.total_cmp(one).then_with(|| first.text.cmp(&second.text)));
    let ranked: Vec<Term> = ranked.into_iter().map(|(_, term)| term).collect();
    let of_first = |count: usize| {
        let mut terms = ranked[..count].to_vec();
        terms.sort_by(|one, two| one.text.cmp(&two.text));
        Catalog { terms: Terms::pack(&terms), ..catalog.clone() }
    };
    // The size grows with the number of terms, but not exactly: only the last count that was measured is used.
    let (mut fits, mut exceeds) = (0, ranked.len());
    while exceeds - fits > 1 + ranked.len() / 200 {
        let count = fits.midpoint(exceeds);
        if of_first(count).to_bytes().len() <= MAX_CATALOG_BYTES { fits = count } else { exceeds = count }
    }
    of_first(fits)
}

/// Returns how much a term says about the repository.
fn value(term: &Term, importance: f64) -> f64 {
    let weight = |field: Field| match field {
        // Few, and about the whole repository.
        Field::Package | Field::Readme | Field::Requirement | Field::Concept => 100.0,
        Field::Name | Field::Path => 2.0,
        Field::Doc | Field::Signature => 1.0,
        Field::Body => 0.5,
    };
    let counted = Field::ALL.into_iter().zip(term.counts);
    counted.map(|(field, count)| weight(field) * f64::from(count).ln_1p()).sum::<f64>() + importance.ln_1p()
}
