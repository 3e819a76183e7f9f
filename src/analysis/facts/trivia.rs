//! Comparison of two versions of a file without their trivia: comments, blank lines, docs.

use std::collections::BTreeSet;

use super::{Code, Outline};
use crate::model::Span;

/// Returns whether both versions resolve equally: all positions have the same order. Docs are ignored; signatures are
/// compared.
pub fn equal_except_trivia(one: (&Outline, &Code), two: (&Outline, &Code)) -> bool {
    one.0.definitions.len() == two.0.definitions.len()
        && one.1.references.len() == two.1.references.len()
        && with_position_ranks(one) == with_position_ranks(two)
}

/// Returns the facts with every position replaced by its rank among all positions of the file.
fn with_position_ranks((outline, code): (&Outline, &Code)) -> (Outline, Code) {
    let (mut outline, mut code) = (outline.clone(), code.clone());
    let mut positions: BTreeSet<u32> = BTreeSet::new();
    for_each_position(&mut outline, &mut code, &mut |position| {
        positions.insert(*position);
    });
    let positions: Vec<u32> = positions.into_iter().collect();
    for_each_position(&mut outline, &mut code, &mut |position| {
        *position = positions.partition_point(|other| other < position) as u32;
    });
    outline.doc.clear();
    for definition in &mut outline.definitions {
        definition.doc.clear();
        let Span { start_byte, end_byte, .. } = definition.span;
        definition.span = Span { start_byte, end_byte, ..Span::default() };
    }
    outline.extensions.iter_mut().for_each(|extension| extension.line = 0);
    code.signals.iter_mut().for_each(|signal| signal.line = 0);
    (outline, code)
}

fn for_each_position(outline: &mut Outline, code: &mut Code, visit: &mut dyn FnMut(&mut u32)) {
    for definition in &mut outline.definitions {
        visit(&mut definition.span.start_byte);
        visit(&mut definition.span.end_byte);
    }
    outline.imports.iter_mut().for_each(|import| visit(&mut import.position));
    outline.bindings.iter_mut().chain(&mut code.bindings).for_each(|binding| visit(&mut binding.position));
    code.references.iter_mut().for_each(|reference| visit(&mut reference.position));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::language_named;
    use crate::lang::parser::parse;

    fn same(one: &str, two: &str) -> bool {
        let facts = |text: &str| parse(language_named("python").unwrap(), "a.py", text.as_bytes()).unwrap();
        let (one, two) = (facts(one), facts(two));
        equal_except_trivia((&one.outline, &one.code), (&two.outline, &two.code))
    }

    #[test]
    fn trivia_edits_are_equal() {
        let text = "import os\ndef f(x):\n    y = x\n    return g(y)\n";
        assert!(same(
            text,
            "# first\n\nimport os\n\n\ndef f(x):\n    '''Says g.'''\n    y = x  # so\n    return g(y)\n"
        ));
    }

    #[test]
    fn name_order_and_signature_edits_differ() {
        let text = "def f(x):\n    y = x\n    return g(y)\n";
        for other in [
            "def f(x):\n    y = x\n    return h(y)\n",
            "def f(x):\n    return g(y)\n    y = x\n",
            "def f(x=1):\n    y = x\n    return g(y)\n",
            "def f(x):\n    y = x\n    return g(y)\ndef h(): pass\n",
        ] {
            assert!(!same(text, other), "{other}");
        }
    }
}
