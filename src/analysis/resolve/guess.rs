//! Resolution of members by name alone, when the receiver's type is unknown.

use super::eval::{Evaluator, plain_name};
use super::input::FileIndex;
use super::open_types::OpenTypes;
use super::output::Unresolved;
use super::rules::{Traits, UseSite};
use super::value::{SymbolRef, Value};
use super::world::World;
use crate::facts::{Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, Role, ScopeId, name_key};
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
    eval.record_member_lookup(name_key(text));
    let language = world.files[file.index()].language;
    let is_test = outline.is_test || source.is_some_and(|id| outline.definitions[id.index()].flags.is_test);
    match world.guess(language, name_key(text)).map(|guesses| guesses.get(is_test)) {
        // A call of the caller's own name on an unknown receiver is usually delegation, not recursion.
        Some(Guess::One(member)) if source != Some(member.definition) || member.file != file => Ok(*member),
        Some(Guess::Ambiguous) => Err(Unresolved::Ambiguous),
        _ => Err(Unresolved::UnknownReceiver),
    }
}

/// Maximum number of expressions that are looked at for what a value is made of.
const MAX_STEPS: usize = 32;

/// Returns whether a value is made by code outside of the repository, of nothing that is in it: the result of `re.match(text)`,
/// also in a variable, or the parameter of a function that is passed to such code. The repository's members are none of its.
pub fn is_made_outside(eval: &mut Evaluator<'_>, site: UseSite, expr: ExprId, at: u32) -> bool {
    let mut steps = MAX_STEPS;
    made_outside(eval, site, expr, at, &mut steps)
}

fn made_outside(eval: &mut Evaluator<'_>, site: UseSite, expr: ExprId, at: u32, steps: &mut usize) -> bool {
    let world = eval.world;
    let (mut site, mut expr, mut at) = (site, expr, at);
    while *steps > 0 {
        *steps -= 1;
        let expressions = &world.code(site.file).expressions;
        // A value of a type of the library can hold what is put into it.
        if matches!(eval.value_at(site, expr, at), Value::ExternalInstance { .. }) {
            return false;
        }
        let mut passed: Option<u16> = None;
        let (next, args) = match &expressions[expr.0 as usize] {
            Expr::Name(_) | Expr::Member { .. } if let Some(variable) = variable_of(eval, site, expr, at) => {
                let Some((declared, value, end)) = variable else { return false };
                (site, at) = (declared, end);
                (value, &[][..])
            }
            Expr::Name(name) => {
                if let value @ Value::External { .. } = eval.denote(site, expr, at) {
                    return !value.is_of_repository();
                }
                let Some(found) = eval.lookup(site, *name, at).next() else { return false };
                let (BindingKind::Local { value, .. } | BindingKind::Parameter { value, .. }) = found.binding.kind
                else {
                    return false;
                };
                let Some(value) = value else { return false };
                (site, at) = (UseSite { file: found.file, scope: found.binding.scope }, found.binding.position);
                (value, &[][..])
            }
            Expr::LambdaParameter { call, argument, .. } => match &expressions[call.0 as usize] {
                Expr::Call { callee, args } => {
                    passed = Some(*argument);
                    (*callee, &args[..])
                }
                _ => return false,
            },
            Expr::Call { callee, args } => {
                let is_new = is_made_by_operator(eval, site, *callee, at);
                let is_given =
                    |eval: &mut Evaluator<'_>, arg: &ExprId| eval.value_at(site, *arg, at).is_of_repository();
                if is_new && !args.iter().any(|arg| is_given(eval, arg)) {
                    return true;
                }
                (*callee, &args[..])
            }
            Expr::Union(parts) if !parts.is_empty() => {
                return parts.iter().all(|part| made_outside(eval, site, *part, at, steps));
            }
            Expr::Apply { base, args } => (*base, &args[..]),
            Expr::Member { base, .. } | Expr::Unwrap(base) | Expr::Item(base, _) => (*base, &[][..]),
            Expr::Index(base) | Expr::Element(base) => (*base, &[][..]),
            _ => return false,
        };
        let others = (0_u16..).zip(args).filter(|(number, _)| Some(*number) != passed);
        if others.into_iter().any(|(_, arg)| eval.value_at(site, *arg, at).is_of_repository()) {
            return false;
        }
        expr = next;
    }
    false
}

/// Returns the site, the value and its place of a variable or field of the repository that an expression names; nothing in
/// it if its type is declared, or nothing assigns it. `None` if the expression names something else.
fn variable_of(
    eval: &mut Evaluator<'_>,
    site: UseSite,
    expr: ExprId,
    at: u32,
) -> Option<Option<(UseSite, ExprId, u32)>> {
    let Value::Symbol { symbol, .. } = eval.denote(site, expr, at) else { return None };
    let definition = eval.world.definition(symbol);
    if !matches!(definition.kind, SymbolKind::Var | SymbolKind::Const | SymbolKind::Field) {
        return None;
    }
    let scope = definition.value_scope.unwrap_or(definition.scope);
    let value = definition.value.filter(|_| definition.value_type.is_none());
    Some(value.map(|value| (UseSite { file: symbol.file, scope }, value, definition.span.end_byte)))
}

/// Returns whether a callee is an operator of a value of the library, which makes another such value: `folder / "name"`.
fn is_made_by_operator(eval: &mut Evaluator<'_>, site: UseSite, callee: ExprId, at: u32) -> bool {
    let world = eval.world;
    let Expr::Member { base, name } = world.code(site.file).expressions[callee.0 as usize] else { return false };
    world.rules(site.file).makes_value(world.outline(site.file).names.get(name))
        && matches!(eval.value_at(site, base, at), Value::ExternalInstance { .. })
}

/// Returns whether a member is of another package than a file, and its name says that only its own can use it.
pub fn is_private_elsewhere(world: &World<'_>, file: FileIndex, member: SymbolRef) -> bool {
    let rules = world.rules(member.file);
    let package = |file: FileIndex| world.modules.for_scope(file, ScopeId(0));
    rules.traits().extends_own_module_only
        && package(member.file) != package(file)
        && rules.is_public(&[], &[world.name(member)], true) == Some(false)
}

/// Returns whether the name of a receiver is that of the type or module that has a member.
pub fn is_owner(world: &World<'_>, receiver: &str, member: SymbolRef) -> bool {
    let Container::Definition(owner) = world.definition(member).container else { return false };
    let outline = world.outline(member.file);
    receiver.rsplit('.').next() == Some(outline.names.get(outline.definitions[owner.index()].name))
}

/// The members that a name means by itself in tests and in other code, which never runs what only tests define. Computed
/// once for a name, which any number of calls can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guesses {
    in_tests: Guess,
    elsewhere: Guess,
}

impl Guesses {
    /// Returns the guesses for a name of these definitions, which are of one language.
    pub(super) fn among(named: &[Named], traits: &Traits) -> Guesses {
        let product: Vec<Named> = named.iter().copied().filter(|one| !one.is_test).collect();
        let elsewhere = Guess::among(&product, traits);
        let in_tests = if product.len() == named.len() { elsewhere } else { Guess::among(named, traits) };
        Guesses { in_tests, elsewhere }
    }

    /// Returns whether any type has a member of the name.
    pub(super) fn is_any(&self) -> bool {
        (self.in_tests, self.elsewhere) != (Guess::None, Guess::None)
    }

    /// Returns whether several types have a member of the name.
    pub(super) fn has_several(&self) -> bool {
        self.in_tests == Guess::Ambiguous
    }

    fn get(&self, is_test: bool) -> &Guess {
        if is_test { &self.in_tests } else { &self.elsewhere }
    }
}

/// The member that a name means by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    /// No type has a member of the name.
    None,
    /// One type has.
    One(SymbolRef),
    /// Several types have, or the call can also mean a field or a function of an object literal.
    Ambiguous,
}

impl Guess {
    fn among(named: &[Named], traits: &Traits) -> Guess {
        if traits.fields_may_be_functions && named.iter().any(|one| one.is_rival) {
            return Guess::Ambiguous;
        }
        let members = || named.iter().filter(|one| one.is_member);
        // Overload signatures and accessors have the same name and type as their implementation.
        let Some(first) = members().next() else { return Guess::None };
        if members().any(|member| member.owner != first.owner) {
            return Guess::Ambiguous;
        }
        // What a property returns is rarely called.
        let called = members().filter(|member| !member.is_property);
        let Some(first) = called.clone().next() else { return Guess::None };
        Guess::One(called.clone().find(|member| member.has_body).unwrap_or(first).symbol)
    }
}

/// The facts about a definition that guesses need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) symbol: SymbolRef,
    /// The type or the extension block that owns it; itself without an owner.
    owner: (FileIndex, Container),
    is_test: bool,
    /// Whether it is called like a member without being one of a type.
    is_rival: bool,
    /// Whether it is a member that is called.
    is_member: bool,
    is_property: bool,
    has_body: bool,
}

impl Named {
    /// Selects what is needed of a definition.
    pub(super) fn new(
        symbol: SymbolRef,
        definition: &Definition,
        traits: &Traits,
        open_types: &OpenTypes<'_>,
    ) -> Named {
        let is_loose = definition.kind == SymbolKind::Method && definition.container == Container::Module;
        // A set of attributes has functions, too, and a file can be a type.
        let is_inside = definition.container != Container::Module
            || traits.resolves_by_name
                && !definition.flags.is_local
                && (traits.files_are_types || !definition.scope_names.is_empty());
        let is_called = definition.kind.is_callable() || traits.resolves_by_name && definition.flags.is_variant;
        let owner = match definition.container {
            Container::Definition(definition) => {
                let part = open_types.representative(SymbolRef { file: symbol.file, definition });
                (part.file, Container::Definition(part.definition))
            }
            Container::Module => (symbol.file, Container::Definition(symbol.definition)),
            other @ Container::Extension(_) => (symbol.file, other),
        };
        Named {
            symbol,
            owner,
            is_test: definition.flags.is_test,
            is_rival: (is_loose || definition.kind == SymbolKind::Field) && !definition.flags.is_test,
            is_member: is_called && is_inside,
            is_property: definition.flags.is_property,
            has_body: !definition.flags.is_abstract,
        }
    }
}
