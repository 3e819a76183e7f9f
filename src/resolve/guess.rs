//! What a member's name alone tells when its receiver is unknown.

use super::eval::plain_name;
use super::output::Unresolved;
use super::value::SymbolRef;
use super::world::World;
use crate::facts::{Atom, Container, DefId, Role, name_key};
use crate::model::SymbolKind;

/// Most definitions that may share a name for it to say anything (SPEC §2).
const MOST_CANDIDATES: usize = 5;

/// The member that a call of `name` on an unknown receiver means, if the repository has just one of that name and the
/// standard library none that is common.
///
/// # Errors
/// Why the name decides nothing.
pub fn by_name(
    world: &World<'_>,
    file: u32,
    source: Option<DefId>,
    name: Atom,
    role: Role,
) -> Result<Vec<SymbolRef>, Unresolved> {
    let outline = world.outline(file);
    let text = plain_name(outline.names.get(name));
    if role != Role::Call || world.rules(file).is_ubiquitous(text) {
        return Err(Unresolved::UnknownReceiver);
    }
    let language = world.files[file as usize].language;
    let named = world.named(language, name_key(text));
    // A field or a function of an object literal may be meant as well.
    let is_rival = |symbol: &SymbolRef| {
        let definition = world.definition(*symbol);
        let is_loose = definition.kind == SymbolKind::Method && definition.container == Container::Module;
        (is_loose || definition.kind == SymbolKind::Field) && !definition.flags.is_test
    };
    if world.rules(file).fields_are_called() && named.iter().any(is_rival) {
        return Err(Unresolved::Ambiguous);
    }
    let members: Vec<SymbolRef> = named
        .iter()
        .copied()
        .filter(|symbol| {
            let definition = world.definition(*symbol);
            definition.kind.is_callable() && definition.container != Container::Module
        })
        .collect();
    match members.len() {
        0 => Err(Unresolved::UnknownReceiver),
        // A call of the caller's own name on something unknown hands the work on; it is hardly a recursion.
        1 if source.is_some_and(|source| members[0] == SymbolRef { file, definition: source.0 }) => {
            Err(Unresolved::UnknownReceiver)
        }
        1 => Ok(members),
        count if count > MOST_CANDIDATES => Err(Unresolved::Ambiguous),
        _ => Err(Unresolved::UnknownReceiver),
    }
}
