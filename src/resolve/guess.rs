//! Resolution of members by name alone, when the receiver's type is unknown.

use super::eval::{Evaluator, plain_name};
use super::input::FileIndex;
use super::output::Unresolved;
use super::value::SymbolRef;
use crate::facts::{Atom, Container, DefId, Role, name_key};
use crate::model::SymbolKind;

/// Returns the member that a call of `name` means, if exactly one type of the repository has a member of this name and
/// the name is not common in the standard library. With several candidates an edge to each would be wrong more often
/// than right, at any confidence.
///
/// # Errors
/// The reason why the name is not decisive.
pub fn by_name(
    eval: &mut Evaluator<'_>,
    file: FileIndex,
    source: Option<DefId>,
    name: Atom,
    role: Role,
) -> Result<SymbolRef, Unresolved> {
    let world = eval.world;
    let outline = world.outline(file);
    let text = plain_name(outline.names.get(name));
    if role != Role::Call || world.rules(file).is_ubiquitous(text) {
        return Err(Unresolved::UnknownReceiver);
    }
    eval.ask(name_key(text));
    let language = world.files[file.index()].language;
    let named = world.named(language, name_key(text));
    // The call can also mean a field, or a function of an object literal.
    let is_rival = |symbol: &SymbolRef| {
        let definition = world.definition(*symbol);
        let is_loose = definition.kind == SymbolKind::Method && definition.container == Container::Module;
        (is_loose || definition.kind == SymbolKind::Field) && !definition.flags.is_test
    };
    if world.rules(file).fields_may_be_functions() && named.iter().any(is_rival) {
        return Err(Unresolved::Ambiguous);
    }
    let is_member = |symbol: &SymbolRef| {
        let definition = world.definition(*symbol);
        definition.kind.is_callable() && definition.container != Container::Module
    };
    let members: Vec<SymbolRef> = named.iter().copied().filter(is_member).collect();
    // Overload signatures and accessors have the same name and type as their implementation.
    let owner = |symbol: &SymbolRef| (symbol.file, world.definition(*symbol).container);
    if members.iter().any(|member| owner(member) != owner(&members[0])) {
        return Err(Unresolved::Ambiguous);
    }
    let has_body = |symbol: &&SymbolRef| !world.definition(**symbol).flags.is_abstract;
    match members.iter().find(has_body).or(members.first()) {
        // A call of the caller's own name on an unknown receiver is usually delegation, not recursion.
        Some(member) if source.is_some_and(|source| *member == SymbolRef { file, definition: source }) => {
            Err(Unresolved::UnknownReceiver)
        }
        Some(member) => Ok(*member),
        None => Err(Unresolved::UnknownReceiver),
    }
}
