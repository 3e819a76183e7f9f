//! Tests of catalogs and routing on small repositories.

use std::fs;

use super::field::{Counts, FIELDS, Field};
use super::*;
use crate::index::{IndexOptions, index};

/// Indexes files in a folder of this name, and returns their catalog.
fn catalog(name: &str, files: &[(&str, &str)]) -> Catalog {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join(name);
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let options = IndexOptions { database: Some(folder.path().join("graph.db")), ..IndexOptions::default() };
    let report = index(&root, &options, &|_| {}).unwrap();
    let reader = Reader::open(&report.database).unwrap();
    Catalog::new(&reader, &readmes(&reader, &root).unwrap()).unwrap()
}

fn shop() -> Catalog {
    let source = "class ShoppingCart:\n    \"\"\"Holds articles until checkout.\"\"\"\n    def add_article(self, article):\n        \
                  return self.warehouse.reserve(article)\n";
    let test = "def test_overbooking():\n    assert True\n";
    let manifest = "[project]\nname = \"grocery-store\"\ndependencies = [\"sqlalchemy\"]\n";
    let readme = "# Grocer\n\nSells vegetables, version 1234567.\n";
    catalog(
        "shop",
        &[
            ("cart/basket.py", source),
            ("tests/test_cart.py", test),
            ("pyproject.toml", manifest),
            ("README.md", readme),
            ("web/README.md", "frontend"),
        ],
    )
}

fn ledger() -> Catalog {
    catalog("ledger", &[("ledger.go", "package ledger\n\n// Post books an entry.\nfunc PostEntry(amount int) {}\n")])
}

fn fields(catalog: &Catalog, term: &str) -> Vec<Field> {
    let counts = catalog.terms.iter().find(|known| *known.text == *term).map(|term| term.counts).unwrap_or_default();
    Field::ALL.into_iter().filter(|field| counts[*field as usize] > 0).collect()
}

#[test]
fn terms_have_the_fields_they_are_from() {
    let catalog = shop();
    let has = |term: &str, field: Field| assert!(fields(&catalog, term).contains(&field), "{term} {field:?}");
    has("shop", Field::Package);
    has("groceri", Field::Package);
    has("shoppingcart", Field::Name);
    has("articl", Field::Name);
    has("basket", Field::Path);
    has("checkout", Field::Doc);
    has("warehous", Field::Body);
    has("sqlalchemi", Field::Requirement);
    has("veget", Field::Readme);
    assert_eq!(catalog.packages(), ["grocery-store"]);
    for absent in ["overbook", "1234567", "frontend"] {
        assert_eq!(
            fields(&catalog, absent),
            [],
            "{absent}: tests, numbers and folders without a manifest are left out"
        );
    }
}

#[test]
fn a_catalog_round_trips_and_equal_indexes_have_equal_bytes() {
    let catalog = shop();
    assert_eq!(catalog.to_bytes(), shop().to_bytes());
    assert_eq!(Catalog::from_bytes(&catalog.to_bytes()).unwrap(), catalog);
}

#[test]
fn a_changed_byte_is_rejected() {
    let bytes = ledger().to_bytes();
    for position in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[position] ^= 1;
        assert!(matches!(Catalog::from_bytes(&damaged), Err(CatalogError::Damaged)), "byte {position}");
        assert!(Catalog::from_bytes(&bytes[..position]).is_err(), "first {position} bytes");
    }
    assert!(matches!(Catalog::from_bytes(&vec![0; MAX_CATALOG_BYTES + 1]), Err(CatalogError::TooLarge)));
}

#[test]
fn impossible_values_are_rejected() {
    let rejected = |catalog: Catalog, what: &str| match Catalog::from_bytes(&catalog.to_bytes()) {
        Err(CatalogError::Impossible(found)) => assert_eq!(found, what),
        other => panic!("{other:?}"),
    };
    let one = |text: &str, count: u32| Term { text: text.into(), counts: [count; FIELDS] };
    let with = |terms: Vec<Term>| Catalog { terms: Terms::pack(&terms), ..ledger() };
    rejected(with(vec![one("b", 1), one("a", 1)]), "list of terms");
    rejected(with(vec![one("a", 1), one("a", 1)]), "list of terms");
    rejected(with(vec![one("a", 0)]), "list of terms");
    rejected(with(vec![one(&"a".repeat(65), 1)]), "list of terms");
    rejected(Catalog { repository: "a\u{1b}b".to_owned(), ..ledger() }, "repository");
    rejected(Catalog { packages: vec!["a".to_owned(); 501], ..ledger() }, "list of packages");
}

#[test]
fn a_catalog_of_another_version_is_named() {
    let mut bytes = ledger().to_bytes();
    bytes.truncate(bytes.len() - 32);
    bytes[7] = 2;
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    assert!(matches!(Catalog::from_bytes(&bytes), Err(CatalogError::Version)));
}

#[test]
fn the_most_informative_terms_fit_the_limit() {
    // Hexadecimal of a hash does not compress.
    let word = |number: u32| {
        let hash = blake3::hash(&number.to_le_bytes()).to_hex().to_string();
        hash.bytes().take(20).map(|byte| char::from(b'a' + byte % 16)).collect::<String>()
    };
    let mut terms: Vec<Term> = (0..40_000)
        .map(|number| {
            let mut counts = Counts::default();
            counts[if number % 100 == 0 { Field::Readme } else { Field::Body } as usize] = 1;
            Term { text: word(number).into(), counts }
        })
        .collect();
    terms.sort_by(|one, two| one.text.cmp(&two.text));
    terms.dedup_by(|one, two| one.text == two.text);
    let expected = terms.iter().filter(|term| term.counts[Field::Readme as usize] > 0).count();
    let importance = vec![0.0; terms.len()];
    let catalog = select::within_limit(collect::Collected {
        catalog: Catalog { terms: Terms::pack(&terms), ..ledger() },
        importance,
    });
    let size = catalog.to_bytes().len();
    assert!((MAX_CATALOG_BYTES * 19 / 20..=MAX_CATALOG_BYTES).contains(&size), "{size}");
    assert_eq!(catalog.terms.iter().filter(|term| term.counts[Field::Readme as usize] > 0).count(), expected);
    assert!(Catalog::from_bytes(&catalog.to_bytes()).is_ok());
}

#[test]
fn a_task_leads_to_its_repository_with_reasons() {
    let router = Router::new([shop(), ledger()]);
    let routes = router.route("`add_article` reserves too much in the warehouse", 5);
    assert_eq!(routes[0].repository, "shop");
    let named = routes[0].matches.iter().find(|found| found.word == "add_article").unwrap();
    assert!(named.fields.contains(&Field::Name) && named.contribution > 0.0, "{routes:?}");
    let sum: f64 = routes[0].matches.iter().map(|found| found.contribution).sum();
    assert!((sum - routes[0].score).abs() < 1e-9, "{routes:?}");
    assert_eq!(router.route("grocery-store: entries are booked twice", 1)[0].repository, "shop");
    assert_eq!(router.route("an entry is posted twice", 1)[0].repository, "ledger");
}

#[test]
fn a_task_without_known_words_leads_nowhere() {
    let router = Router::new([shop(), ledger()]);
    assert!(router.route("", 5).is_empty() && router.route("zzyzx qwertz", 5).is_empty());
    assert!(Router::default().route("add an article", 5).is_empty());
}

#[test]
fn the_order_of_catalogs_and_copies_change_nothing() {
    let routes = |catalogs: Vec<Catalog>| Router::new(catalogs).route("post an article", 5);
    let expected = routes(vec![shop(), ledger()]);
    assert_eq!(expected.len(), 2);
    assert_eq!(routes(vec![ledger(), shop(), ledger()]), expected);
}
