//! Methods that Active Record adds to a model: associations, attachments and scopes.

use tree_sitter::Node;

use super::calls::literal;
use super::declarations::accessor;
use crate::facts::{DefId, Expr, ExprId};
use crate::lang::common::walker::Walker;

/// The value of a method that a declaration adds.
#[derive(Clone, Copy)]
enum Added {
    /// One record of the class that the name or `class_name:` tells.
    One,
    /// Several of them.
    Many,
    /// Records of the model's own class, from a method of the class.
    Scope,
    Attachment,
}

/// Returns the value of the methods that a call in a class declares, from the guide to Active Record.
fn added(name: &str, has_body: bool) -> Option<Added> {
    Some(match name {
        "belongs_to" | "has_one" => Added::One,
        "has_many" | "has_and_belongs_to_many" => Added::Many,
        "scope" if has_body => Added::Scope,
        "has_one_attached" | "has_many_attached" | "has_rich_text" => Added::Attachment,
        _ => return None,
    })
}

/// Adds the method of `belongs_to :author, class_name: "User"` and the like. Returns `None` for any other call.
pub fn association<'a>(
    walker: &mut Walker<'a>,
    owner: DefId,
    node: Node<'a>,
    name: &str,
    arguments: &[Node<'a>],
) -> Option<()> {
    let kind = added(name, arguments.len() > 1)?;
    let first = *arguments.first()?;
    let method = literal(walker, first).filter(|method| !method.is_empty())?;
    let value = match kind {
        Added::Attachment => walker.unknown,
        Added::Scope => {
            let own = walker.facts.expr(Expr::Definition(owner));
            records(walker, own)
        }
        Added::One | Added::Many => {
            let option = arguments.iter().find_map(|pair| class_option(walker, *pair));
            let class = match option {
                Some(class) => class.trim_start_matches("::").to_owned(),
                None => cruet::to_class_case(method),
            };
            let mut names = class.split("::");
            let mut known = walker.facts.name(names.next().unwrap_or_default());
            for name in names {
                known = walker.facts.member(known, name);
            }
            if matches!(kind, Added::Many) { records(walker, known) } else { walker.instance(known) }
        }
    };
    let before = walker.facts.definition(owner).flags.is_static;
    walker.facts.definition_mut(owner).flags.is_static = before || matches!(kind, Added::Scope);
    accessor(walker, owner, node, (method, first), value);
    walker.facts.definition_mut(owner).flags.is_static = before;
    Some(())
}

/// Returns the class in `class_name: "User"` and `:class_name => "User"`.
fn class_option<'a>(walker: &Walker<'a>, pair: Node<'a>) -> Option<&'a str> {
    let (key, value) = (walker.field(pair, "key")?, walker.field(pair, "value")?);
    (literal(walker, key)? == "class_name").then(|| literal(walker, value))?
}

/// Returns several records of a class.
fn records(walker: &mut Walker<'_>, class: ExprId) -> ExprId {
    let record = walker.instance(class);
    walker.facts.builtin("Array", vec![record])
}
