//! Panics in the rules of a language.

use super::Loaded;
use crate::facts::{FileFacts, Import};
use crate::lang::{language_named, rules_of};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileIndex, FileInput, LanguageFiles, Manifest};
use crate::resolve::modules::Modules;
use crate::resolve::output::Unresolved;
use crate::resolve::resolve;
use crate::resolve::rules::{Rules, Traits, UseSite};
use crate::resolve::value::Value;
use crate::resolve::world::World;

/// Rules that panic over one name.
struct PanickingRules(&'static dyn Rules);

impl Rules for PanickingRules {
    fn traits(&self) -> &Traits {
        &Traits::COMMON
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        self.0.modules(files, manifests, modules);
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        self.0.import(eval, site, import)
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        assert_ne!(name, "dynamite", "a fault");
        self.0.is_ubiquitous(name)
    }
}

#[test]
fn a_panic_costs_one_file_its_references() {
    let language = language_named("python").unwrap();
    let texts = ["def f():\n    g()\n    x.dynamite()\n\ndef g(): pass\n", "def f():\n    g()\n\ndef g(): pass\n"];
    let parse = |text: &&str| crate::lang::parser::parse(language, "a.py", text.as_bytes()).unwrap();
    let facts: Vec<FileFacts> = texts.iter().map(parse).collect();
    let mut loaded = Loaded(&facts);
    let files = ["a.py", "b.py"].map(|path| FileInput { path, language: "python" });
    let rules: &'static PanickingRules = Box::leak(Box::new(PanickingRules(rules_of("python"))));
    let world = World::new(&files, &[], &mut loaded, &|_| rules);
    let outcomes = resolve(&world, &[0, 1].map(FileIndex::new));
    assert_eq!(outcomes[0].edges.len(), 0);
    assert_eq!(
        outcomes[0].unresolved.iter().map(|(reason, _)| *reason).collect::<Vec<_>>(),
        [Unresolved::ResolverPanicked]
    );
    assert!(outcomes[1].edges.len() == 1 && outcomes[1].unresolved.is_empty());
}
