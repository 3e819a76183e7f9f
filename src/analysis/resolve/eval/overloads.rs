//! Choice among the methods of a name by the arguments of a call.
//!
//! A simplified form of what the languages specify (Java Language Specification, 15.12.2; C# specification, 12.6.4):
//! methods that can't take the number or the types of the arguments drop out, and of the others the one whose
//! parameters fit best is meant. Unknown types fit everything a little.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use super::Evaluator;
use super::fits::{SAME_FIT, SUBTYPE_FIT};
use super::members::{Member, plain_name};
use super::names::{AT_END, ResolvedBinding, bindings_of};
use crate::facts::{ArgumentCount, Atom, BindingKind, Container, Expr, ExprId, NameKey, ScopeId, ScopeKind, name_key};
use crate::model::SymbolKind;
use crate::resolve::input::FileIndex;
use crate::resolve::rules::{Overriding, UseSite};
use crate::resolve::value::{Substitution, SymbolRef, Value};
use crate::resolve::world::World;
use crate::text::common_folders;

/// The label of a parameter whose arguments have none.
const UNLABELED: &str = "_";
/// Maximum number of methods that a call is linked with if they fit equally well. Of more than these, one more is
/// returned, so that the choice is known to be a guess.
pub const MAX_EQUAL: usize = 8;

/// A type without generic arguments, whose equality is cheap to test.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PlainType {
    Own(SymbolRef),
    External(Arc<str>),
}

impl PlainType {
    /// Returns the type of a value, if it is plain.
    fn from_value(value: &Value) -> Option<PlainType> {
        match value {
            Value::Instance { symbol, args } if args.is_empty() => Some(PlainType::Own(*symbol)),
            Value::ExternalInstance { name, args } if args.is_empty() => Some(PlainType::External(Arc::clone(name))),
            _ => None,
        }
    }
}

/// The methods of one name of a type without generic arguments, or the functions of one name in a scope.
#[derive(Debug, Default)]
pub(super) struct Overloads {
    /// Those of the nearest supertypes first.
    methods: Vec<Member>,
    /// The methods that take exactly these types, of the type or file of the first one.
    by_types: FxHashMap<Vec<PlainType>, Vec<usize>>,
}

/// The types of a call's arguments, `None` for an unknown one, and the names of the parameters that they are given to.
type ArgumentTypes = (Vec<Option<PlainType>>, Vec<Option<NameKey>>);

/// A type with methods, and whether its generic arguments are its own parameters, as they are in its code. Or a function.
type Owner = (SymbolRef, bool);

/// A call that chooses among methods.
#[derive(Clone, Copy)]
struct CallSite<'c> {
    site: UseSite,
    args: &'c [ExprId],
    at: u32,
    /// Whether, where no method fits the arguments, those that take as many are meant.
    or_possible: bool,
}

/// The arguments of a call.
pub(super) struct Arguments {
    values: Vec<Value>,
    /// The names of the parameters that arguments are given to, if they are written.
    labels: Vec<Option<NameKey>>,
}

/// Overloads and the choices among them, so that many calls of many overloads need not compare each with each.
#[derive(Debug, Default)]
pub(super) struct OverloadMemo {
    methods: FxHashMap<(Owner, NameKey), Arc<Overloads>>,
    functions: FxHashMap<(FileIndex, ScopeId, Atom, Vec<Atom>), Arc<Overloads>>,
    chosen: FxHashMap<(Owner, NameKey, ArgumentTypes), Arc<[usize]>>,
}

impl Evaluator<'_> {
    /// Returns the method that a call means if its receiver has several of the name, in languages that choose among
    /// them by arguments; otherwise `None`.
    pub fn overload(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Option<Member> {
        self.equal_overloads(site, callee, args, at).into_iter().next()
    }

    /// Returns whether the arguments of a call can choose among the methods of its name.
    pub fn has_overloads(&self, file: FileIndex, callee: ExprId) -> bool {
        let traits = self.rules(file).traits();
        let is_named = || match self.expr(file, callee) {
            Expr::Member { name, .. } => {
                traits.overloaded_methods.contains(&plain_name(self.world.outline(file).names.get(*name)))
            }
            _ => false,
        };
        traits.chooses_overloads || (!traits.overloaded_methods.is_empty() && is_named())
    }

    /// Returns whether a type can implement a trait several times, with methods of one name.
    pub fn implements_often(&self, file: FileIndex) -> bool {
        !self.rules(file).traits().overloaded_methods.is_empty()
    }

    /// Returns the methods of which [`Evaluator::overload`] is the first: several if the arguments fit them equally well.
    pub fn equal_overloads(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Vec<Member> {
        self.overloads_of_call(callee, CallSite { site, args, at, or_possible: false })
    }

    /// Returns the methods of which a call can mean any if it has several of the name and the arguments fit none: what is known
    /// of them is wrong. Those that take as many arguments, if there are some.
    pub fn possible_overloads(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Vec<SymbolRef> {
        let possible = self.overloads_of_call(callee, CallSite { site, args, at, or_possible: true });
        possible.into_iter().map(|member| member.symbol).collect()
    }

    fn overloads_of_call(&mut self, callee: ExprId, call: CallSite<'_>) -> Vec<Member> {
        let CallSite { site, args, at, .. } = call;
        if !self.has_overloads(site.file, callee) {
            return Vec::new();
        }
        let (receiver, name) = match self.expr(site.file, callee) {
            Expr::Member { base, name } => (self.member_base(site, *base, at), *name),
            Expr::Name(name) => {
                let owner = self.enclosing_type_with(site, *name);
                match owner.or_else(|| self.imported_owner(site, *name, at)) {
                    Some(owner) => (owner, *name),
                    None => return self.overloaded_function(*name, call).unwrap_or_default(),
                }
            }
            Expr::Apply { base, .. } => return self.overloads_of_call(*base, call),
            Expr::FirstOf(parts) => {
                return match self.first_denoted(site, parts, at) {
                    Some(known) => self.overloads_of_call(known, call),
                    None => Vec::new(),
                };
            }
            Expr::Root(_) if self.rules(site.file).traits().overloads_in_namespaces => {
                return self.overloads_in_namespace(callee, call);
            }
            _ => return Vec::new(),
        };
        if let (Value::Module(_), true) = (&receiver, self.rules(site.file).traits().overloads_in_namespaces) {
            return self.overloads_in_namespace(callee, call);
        }
        let name = self.world.outline(site.file).names.get(name);
        let key = name_key(plain_name(name));
        let receiver = match receiver {
            Value::Symbol { symbol, .. } if self.world.definition(symbol).kind.is_type() => self.own_instance(symbol),
            other if self.stands_for_another(&other, key) => match self.own_rules().deref_target(self, &other) {
                Some(content @ Value::Instance { .. }) => content,
                _ => other,
            },
            other => other,
        };
        let mut chosen = if let Some(owner) = self.owner_of_methods(&receiver) {
            let overloads = self.overloads(&receiver, owner, key);
            self.chosen(&overloads, (owner, key), call)
        } else {
            let candidates = self.methods(&receiver, key);
            if candidates.len() < 2 {
                return Vec::new();
            }
            let arguments = self.arguments(site, args, at);
            let mut best = self.best_fits(&candidates, &arguments);
            if best.is_empty() && call.or_possible {
                best = self.possible(&candidates, &arguments);
            }
            best.into_iter().map(|best| candidates[best].clone()).collect()
        };
        for member in &mut chosen {
            if let Some(definition) = self.definition_of_method(member.symbol) {
                member.symbol = definition;
            }
        }
        let mut seen = FxHashSet::default();
        chosen.retain(|member| seen.insert(member.symbol));
        chosen
    }

    /// Returns whether a method of a name is not one of the receiver's own type, so that it can be one of what the value
    /// points to.
    fn stands_for_another(&mut self, receiver: &Value, key: NameKey) -> bool {
        match receiver {
            Value::ExternalInstance { .. } => true,
            Value::Instance { .. } => self.own_rules().traits().has_pointers && !self.has_method(receiver, key),
            _ => false,
        }
    }

    /// Returns the functions of a namespace that a call can mean, if it has several of the name.
    fn overloads_in_namespace(&mut self, callee: ExprId, call: CallSite<'_>) -> Vec<Member> {
        let Value::Symbol { symbol: first, .. } = self.denote(call.site, callee, call.at) else { return Vec::new() };
        let definition = self.world.definition(first);
        if definition.kind != SymbolKind::Function {
            return Vec::new();
        }
        let place = (first.file, ScopeId(0), definition.name);
        let Some(overloads) = self.function_overloads(place, &definition.scope_names) else { return Vec::new() };
        let key = self.world.outline(first.file).names.key(definition.name);
        self.chosen(&overloads, ((first, false), key), call)
    }

    /// Returns whether any type has a member of a name in a file.
    pub fn has_member(&mut self, file: FileIndex, name: Atom) -> bool {
        let text = plain_name(self.world.outline(file).names.get(name));
        // Names of this form are asked of the rules of a language.
        self.any_has_member(name_key(text)) || text.starts_with('$')
    }

    /// Returns the function of an operator outside of all types which takes these operands, of which one has a type of the
    /// repository; `None` if several do equally well.
    pub fn operator_function(&mut self, site: UseSite, name: Atom, args: &[ExprId], at: u32) -> Option<SymbolRef> {
        let world = self.world;
        let key = world.outline(site.file).names.key(name);
        self.record_lookup(key);
        let bindings = world.modules.bindings(self.module_at(site)?, key);
        if bindings.is_empty() {
            return None;
        }
        let values = self.values(site, args, at);
        // Each use of an operator would be compared with all functions of its name, of which a library has thousands.
        if !values.iter().any(|value| matches!(value, Value::Instance { .. })) {
            return None;
        }
        self.count(bindings.len());
        let mut best: Option<(u32, SymbolRef, bool)> = None;
        for &(file, index) in bindings {
            let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind else {
                continue;
            };
            let symbol = SymbolRef { file, definition };
            let Some(fit) = self.fit_of_operands(symbol, &values) else { continue };
            match best {
                Some((known, ..)) if known > fit => {}
                Some((known, first, _)) if known == fit && first != symbol => best = Some((known, first, false)),
                _ => best = Some((fit, symbol, true)),
            }
        }
        best.filter(|(.., is_only)| *is_only).map(|(_, symbol, _)| symbol)
    }

    /// Returns how well operands fit the parameters of a function, one of which has the type of an operand.
    fn fit_of_operands(&mut self, function: SymbolRef, values: &[Value]) -> Option<u32> {
        let definition = self.world.definition(function);
        if definition.kind != SymbolKind::Function || definition.parameters.len() != values.len() {
            return None;
        }
        self.consult(function);
        let own = UseSite { file: function.file, scope: definition.scope };
        let (mut total, mut has_own) = (0, false);
        for (value, parameter) in values.iter().zip(&definition.parameters) {
            let expected = parameter.value_type.map_or(Value::Unknown, |expr| self.type_of(own, expr));
            let fit = self.fit(value, &expected)?;
            let is_own = matches!((value, &expected), (Value::Instance { .. }, Value::Instance { .. }));
            has_own |= is_own && fit >= SUBTYPE_FIT;
            total += fit;
        }
        has_own.then_some(total)
    }

    /// Returns the member in whose place a type without a name has a method, by the expression at a site: the nearest
    /// method of the name with as many parameters, where names alone do not tell; of several the one whose parameters have
    /// the same types.
    pub fn overridden(&mut self, method: SymbolRef, site: UseSite, expr: ExprId) -> Option<SymbolRef> {
        let Expr::Member { base, name } = self.expr(site.file, expr) else { return None };
        let base = self.value_at(site, *base, AT_END);
        let name = plain_name(self.world.outline(site.file).names.get(*name));
        let key = name_key(name);
        let count = |world: &World<'_>, symbol: SymbolRef| world.definition(symbol).parameters.len();
        let wanted = count(self.world, method);
        let by_name = self.rules(site.file).traits().overriding == Overriding::ByName;
        let mut best: Option<((bool, usize), SymbolRef)> = None;
        for member in self.methods(&base, key) {
            let flags = self.world.definition(member.symbol).flags;
            let is_alike = count(self.world, member.symbol) == wanted;
            if !(is_alike || by_name) || flags.is_static {
                continue;
            }
            let equal = (is_alike, self.equal_parameters(method, member.symbol));
            if best.is_none_or(|(known, _)| equal > known) {
                best = Some((equal, member.symbol));
            }
        }
        if best.is_none() && self.rules(site.file).traits().fields_may_be_functions {
            return self.declared_field(&base, name);
        }
        best.map(|(_, symbol)| symbol)
    }

    /// Returns the field, or the method of a type without a name, that a type declares for a function.
    fn declared_field(&mut self, base: &Value, name: &str) -> Option<SymbolRef> {
        match self.member_denoted(base, name) {
            Value::Symbol { symbol, .. } => {
                let definition = self.world.definition(symbol);
                let is_declared = definition.kind == SymbolKind::Field || definition.flags.is_abstract;
                (is_declared && !definition.flags.is_static).then_some(symbol)
            }
            _ => None,
        }
    }

    /// Returns the type of which an expression makes a value: that of a variable or a member which is not a pointer.
    pub fn constructed(&mut self, site: UseSite, expr: ExprId, at: u32) -> Option<SymbolRef> {
        if let Expr::Instance(inner) = self.expr(site.file, expr)
            && let Expr::TypeOf(member) = self.expr(site.file, *inner)
            && let Value::Symbol { symbol, .. } = self.denote(site, *member, at)
        {
            let definition = self.world.definition(symbol);
            if definition.kind == SymbolKind::Field && definition.signature.contains(['*', '&']) {
                return None;
            }
        }
        match self.value_at(site, expr, at) {
            Value::Instance { symbol, .. } => Some(symbol),
            _ => None,
        }
    }

    /// Returns the constructor of a type for these arguments, in languages where it has the name of the type; `None` if the
    /// compiler makes it.
    pub fn constructor_for(&mut self, made: SymbolRef, site: UseSite, args: &[ExprId], at: u32) -> Option<SymbolRef> {
        let world = self.world;
        if !world.definition(made).kind.is_type() {
            return None;
        }
        let own = self.own_instance(made);
        let mut constructors = self.methods(&own, name_key(world.name(made)));
        let arguments = self.arguments(site, args, at);
        // A copy, for which a constructor of something else is not meant.
        if let [Value::Instance { symbol, .. }] = arguments.values[..]
            && symbol == made
        {
            constructors.retain(|constructor| {
                let definition = world.definition(constructor.symbol);
                let site = UseSite { file: constructor.symbol.file, scope: definition.scope };
                let first = definition.parameters.first().and_then(|first| first.value_type);
                first.is_some_and(
                    |first| matches!(self.type_of(site, first), Value::Instance { symbol, .. } if symbol == made),
                )
            });
        }
        let chosen = constructors[self.best_fit(&constructors, &arguments)?].symbol;
        self.definition_of_method(chosen).or(Some(chosen))
    }

    /// Returns the type whose static method a name means at a site: the one that the file imports the method of.
    fn imported_owner(&mut self, site: UseSite, name: Atom, at: u32) -> Option<Value> {
        if !self.rules(site.file).traits().marks_callees {
            return None;
        }
        let found = self.lookup(site, name, at).next()?;
        let owner = match found.binding.kind {
            BindingKind::Import(import) => match self.import_owner(found.file, import.0) {
                Value::Symbol { symbol, .. } if self.world.definition(symbol).kind.is_type() => symbol,
                _ => return None,
            },
            BindingKind::Definition(definition) => {
                match self.world.definition(SymbolRef { file: found.file, definition }).container {
                    Container::Definition(definition) => SymbolRef { file: found.file, definition },
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.own_instance(owner))
    }

    /// Returns the function that a call means if the scope of its name has several, in languages where functions have
    /// overloads; otherwise `None`.
    fn overloaded_function(&mut self, name: Atom, call: CallSite<'_>) -> Option<Vec<Member>> {
        let found = self.lookup(call.site, name, call.at).next()?;
        if !self.rules(call.site.file).traits().overloads_in_namespaces {
            return self.overload_in_module(found, call);
        }
        let BindingKind::Definition(first) = found.binding.kind else { return None };
        let outline = self.world.outline(found.file);
        let first = outline.definitions.get(first.index()).filter(|first| first.kind == SymbolKind::Function)?;
        let place = (found.file, found.binding.scope, found.binding.name);
        let overloads = self.function_overloads(place, &first.scope_names)?;
        let of = ((overloads.methods.first()?.symbol, false), outline.names.key(found.binding.name));
        Some(self.chosen(&overloads, of, call))
    }

    /// Returns the function that a call means if the module of the function that its name has found has several of it.
    fn overload_in_module(&mut self, found: ResolvedBinding, call: CallSite<'_>) -> Option<Vec<Member>> {
        let Value::Symbol { symbol: first, .. } = self.denoted(found) else { return None };
        let definition = self.world.definition(first);
        if definition.kind != SymbolKind::Function || definition.flags.is_local {
            return None;
        }
        let world = self.world;
        let outline = world.outline(first.file);
        let name = outline.names.key(definition.name);
        self.record_lookup(name);
        let key = (first.file, ScopeId(0), definition.name, Vec::new());
        let overloads = match self.overloads.functions.get(&key) {
            Some(known) => Arc::clone(known),
            None => {
                let bindings = world.modules.bindings(world.modules.for_scope(first.file, ScopeId(0))?, name);
                self.count(bindings.len());
                let mut functions = Vec::new();
                for &(file, index) in bindings {
                    let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind else {
                        continue;
                    };
                    let symbol = SymbolRef { file, definition };
                    if world.definition(symbol).kind == SymbolKind::Function {
                        self.consult(symbol);
                        functions.push(Member { symbol, bound: Substitution::new() });
                    }
                }
                let (overloads, is_kept) = self.keepable(|evaluator| evaluator.by_types(functions));
                if is_kept {
                    self.overloads.functions.insert(key, Arc::clone(&overloads));
                }
                overloads
            }
        };
        let of = ((overloads.methods.first()?.symbol, false), name);
        let mut chosen = self.chosen(&overloads, of, call);
        self.retain_nearest(call.site.file, &mut chosen);
        Some(chosen)
    }

    /// Retains, of functions that several folders define, the nearest one. The definition for a platform is meant by code of
    /// that platform, elsewhere what it defines.
    fn retain_nearest(&self, from: FileIndex, chosen: &mut Vec<Member>) {
        let world = self.world;
        let Some(first) = chosen.first().filter(|_| chosen.len() > 1) else { return };
        let mut nearest = world.duplicates.nearest(world.files, world.user(from), first.symbol);
        if let Some((expected, _)) = self.rules(from).traits().expectation {
            let is_expected =
                |symbol: SymbolRef| world.definition(symbol).signature.split_whitespace().any(|word| word == expected);
            let near = |symbol: SymbolRef| {
                let folders = common_folders(world.files[from.index()].path, world.files[symbol.file.index()].path);
                (folders, is_expected(symbol))
            };
            if chosen.iter().any(|one| is_expected(one.symbol)) {
                nearest =
                    chosen.iter().map(|one| one.symbol).rev().max_by_key(|symbol| near(*symbol)).unwrap_or(nearest);
            }
        }
        if chosen.iter().any(|one| one.symbol == nearest) {
            chosen.retain(|one| one.symbol == nearest);
        }
    }

    /// Returns the functions of a name in a scope, the last one first: it is what the name means without arguments.
    fn function_overloads(
        &mut self,
        (file, scope, name): (FileIndex, ScopeId, Atom),
        scope_names: &[Atom],
    ) -> Option<Arc<Overloads>> {
        let key = (file, scope, name, scope_names.to_vec());
        if let Some(known) = self.overloads.functions.get(&key) {
            return Some(Arc::clone(known));
        }
        let (outline, code) = (self.world.outline(file), self.world.code(file));
        let is_module = code.scopes.get(scope.0 as usize)?.kind == ScopeKind::Module;
        let run = bindings_of(if is_module { &outline.bindings } else { &code.bindings }, scope, name);
        self.count(run.len());
        let mut functions = Vec::new();
        for binding in run.iter().rev() {
            let BindingKind::Definition(definition) = binding.kind else { continue };
            let other = &outline.definitions[definition.index()];
            if other.kind == SymbolKind::Function && other.scope_names == scope_names {
                functions.push(Member { symbol: SymbolRef { file, definition }, bound: Substitution::new() });
            }
        }
        let (overloads, is_kept) = self.keepable(|evaluator| evaluator.by_types(functions));
        if is_kept {
            self.overloads.functions.insert(key, Arc::clone(&overloads));
        }
        Some(overloads)
    }

    /// Returns the type of a receiver whose methods are those of all its receivers with the same generic arguments: none, or the
    /// type's own parameters.
    fn owner_of_methods(&mut self, receiver: &Value) -> Option<Owner> {
        let Value::Instance { symbol, args } = receiver else { return None };
        let owner = (*symbol, !args.is_empty());
        (args.is_empty() || self.own_instance(*symbol) == *receiver).then_some(owner)
    }

    /// Returns the methods of a name of a type.
    fn overloads(&mut self, receiver: &Value, owner: Owner, key: NameKey) -> Arc<Overloads> {
        if let Some(known) = self.overloads.methods.get(&(owner, key)) {
            return Arc::clone(known);
        }
        let (overloads, is_kept) = self.keepable(|evaluator| {
            let methods = evaluator.methods(receiver, key);
            evaluator.by_types(methods)
        });
        if is_kept {
            self.overloads.methods.insert((owner, key), Arc::clone(&overloads));
        }
        overloads
    }

    /// Indexes methods by the types that they take.
    fn by_types(&mut self, methods: Vec<Member>) -> Arc<Overloads> {
        let mut by_types: FxHashMap<Vec<PlainType>, Vec<usize>> = FxHashMap::default();
        if methods.len() > 1 {
            for (number, method) in methods.iter().enumerate() {
                let Some(types) = self.plain_parameters(method) else { continue };
                let known = by_types.entry(types).or_default();
                let is_beside = |first: &usize| self.place(methods[*first].symbol) == self.place(method.symbol);
                if known.first().is_none_or(is_beside) && known.len() <= MAX_EQUAL {
                    known.push(number);
                }
            }
        }
        Arc::new(Overloads { methods, by_types })
    }

    /// Returns the types of a method's parameters; `None` if one is not plain or need not have one argument.
    fn plain_parameters(&mut self, method: &Member) -> Option<Vec<PlainType>> {
        let definition = self.world.definition(method.symbol);
        let own = UseSite { file: method.symbol.file, scope: definition.scope };
        let types = definition.parameters.iter().map(|parameter| {
            let expr = parameter.value_type.filter(|_| parameter.arguments == ArgumentCount::One)?;
            PlainType::from_value(&self.type_of(own, expr).substitute(&method.bound))
        });
        types.collect()
    }

    /// Returns the methods that fit the arguments best; empty unless there are several methods.
    fn chosen(&mut self, overloads: &Overloads, of: (Owner, NameKey), call: CallSite<'_>) -> Vec<Member> {
        if overloads.methods.len() < 2 {
            return Vec::new();
        }
        let arguments = self.arguments(call.site, call.args, call.at);
        let mut chosen = self.chosen_by(overloads, of, &arguments);
        if chosen.is_empty() && call.or_possible {
            chosen = self.possible(&overloads.methods, &arguments).into();
        }
        chosen.iter().map(|best| overloads.methods[*best].clone()).collect()
    }

    /// Returns the methods that take as many arguments, or all if there are none, without those that others of them override; at
    /// most one more than are linked.
    fn possible(&mut self, methods: &[Member], arguments: &Arguments) -> Vec<usize> {
        self.count(methods.len());
        let takes = |number: &usize| self.parameters_of_arguments(methods[*number].symbol, arguments).is_some();
        let mut passable: Vec<usize> = (0..methods.len()).filter(takes).take(MAX_EQUAL + 1).collect();
        if passable.is_empty() {
            passable = (0..methods.len().min(MAX_EQUAL + 1)).collect();
        }
        let mut kept: Vec<usize> = Vec::new();
        for number in passable {
            let symbol = methods[number].symbol;
            let count = self.world.definition(symbol).parameters.len();
            let is_overridden = kept.iter().any(|nearer| {
                let nearer = methods[*nearer].symbol;
                self.place(nearer) != self.place(symbol)
                    && self.world.definition(nearer).parameters.len() == count
                    && self.equal_parameters(nearer, symbol) == count
            });
            if !is_overridden {
                kept.push(number);
            }
        }
        kept
    }

    fn chosen_by(&mut self, overloads: &Overloads, of: (Owner, NameKey), arguments: &Arguments) -> Arc<[usize]> {
        let values = &arguments.values;
        let types: Option<Vec<Option<PlainType>>> = (values.iter())
            .map(|value| if value.is_unknown() { Some(None) } else { PlainType::from_value(value).map(Some) })
            .collect();
        let Some(types) = types else { return self.best_fits(&overloads.methods, arguments).into() };
        let key = (of.0, of.1, (types, arguments.labels.clone()));
        if let Some(known) = self.overloads.chosen.get(&key) {
            return Arc::clone(known);
        }
        // No method fits better than one whose parameters have the types of the arguments.
        let exact = key.2.0.iter().cloned().collect::<Option<Vec<PlainType>>>();
        let exact = exact.filter(|_| arguments.labels.iter().all(Option::is_none));
        let (chosen, is_kept) = self.keepable(|evaluator| {
            let is_same = |value: &Value| evaluator.fit(value, value) == Some(SAME_FIT);
            let exact = exact.filter(|_| values.iter().all(is_same));
            match exact.and_then(|types| overloads.by_types.get(&types)) {
                Some(exact) => evaluator.without_inactive(&overloads.methods, exact.clone()).into(),
                None => evaluator.best_fits(&overloads.methods, arguments).into(),
            }
        });
        let chosen: Arc<[usize]> = chosen;
        if is_kept {
            self.overloads.chosen.insert(key, Arc::clone(&chosen));
        }
        chosen
    }

    /// Returns the type or block that a method is in, for the implementation of a trait its type, which can implement several
    /// of one name; `None` for a function.
    fn place(&self, symbol: SymbolRef) -> Option<(FileIndex, Container)> {
        match self.world.definition(symbol).container {
            Container::Module => None,
            Container::Extension(block) if self.world.extension((symbol.file, block.0)).implements.is_some() => {
                let owner = self.owner(symbol)?;
                Some((owner.file, Container::Definition(owner.definition)))
            }
            container => Some((symbol.file, container)),
        }
    }

    /// Returns the method that fits best, the first of equal ones.
    pub(super) fn best_fit(&mut self, methods: &[Member], arguments: &Arguments) -> Option<usize> {
        self.best_fits(methods, arguments).first().copied()
    }

    /// Compares the arguments with the parameters of each method. Returns those of one type or file that fit best; a
    /// method of a supertype is one that they override.
    fn best_fits(&mut self, methods: &[Member], arguments: &Arguments) -> Vec<usize> {
        let mut equal = self.equal_fits(methods, arguments);
        let Some(&first) = equal.first() else { return equal };
        let own = self.place(methods[first].symbol);
        equal.retain(|number| self.place(methods[*number].symbol) == own);
        self.without_inactive(methods, equal)
    }

    /// Returns of definitions for several platforms those for this one, if there are any.
    fn without_inactive(&self, methods: &[Member], mut numbers: Vec<usize>) -> Vec<usize> {
        let is_inactive = |number: &usize| self.world.definition(methods[*number].symbol).flags.is_cfg_inactive;
        if !numbers.iter().all(is_inactive) {
            numbers.retain(|number| !is_inactive(number));
        }
        numbers
    }

    /// Returns the methods that fit arguments best, of any types and files.
    fn equal_fits(&mut self, methods: &[Member], arguments: &Arguments) -> Vec<usize> {
        self.count(methods.len());
        let (mut best, mut equal): (u32, Vec<usize>) = (0, Vec::new());
        for (number, method) in methods.iter().enumerate() {
            let Some(fit) = self.fit_of_arguments(method, arguments) else { continue };
            if equal.is_empty() || fit > best {
                (best, equal) = (fit, vec![number]);
            } else if fit == best && equal.len() <= MAX_EQUAL {
                equal.push(number);
            }
        }
        equal
    }

    /// Returns those of methods that fit the arguments of a call best, wherever they are.
    pub fn fitting(&mut self, methods: &[SymbolRef], site: UseSite, args: &[ExprId], at: u32) -> Vec<SymbolRef> {
        let member = |symbol: &SymbolRef| Member { symbol: *symbol, bound: Substitution::new() };
        let methods: Vec<Member> = methods.iter().map(member).collect();
        let arguments = self.arguments(site, args, at);
        let best = self.equal_fits(&methods, &arguments);
        best.into_iter().take(MAX_EQUAL).map(|number| methods[number].symbol).collect()
    }

    /// Returns the innermost type around a site that has a member of this name.
    fn enclosing_type_with(&mut self, site: UseSite, name: Atom) -> Option<Value> {
        let key = name_key(plain_name(self.world.outline(site.file).names.get(name)));
        if !self.any_has_member(key) {
            return None;
        }
        let mut at = Some(site.scope);
        while let Some(id) = at {
            let code = self.world.code(site.file);
            let scope = *code.scopes.get(id.0 as usize)?;
            // A method of a class without a name precedes what that inherits.
            if scope.extends.is_some() && !bindings_of(&code.bindings, id, name).is_empty() {
                return None;
            }
            for owner in self.types_of_scope(site.file, scope) {
                let own = self.own_instance(owner);
                if self.has_method(&own, key) {
                    return Some(own);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// Returns whether a value has a method of a name.
    fn has_method(&mut self, own: &Value, key: NameKey) -> bool {
        match self.owner_of_methods(own) {
            Some(owner) => !self.overloads(own, owner, key).methods.is_empty(),
            None => !self.methods_by_key(own, key).is_empty(),
        }
    }

    /// Returns the methods of a name of a value or type, those of the nearest supertypes first.
    pub(super) fn methods(&mut self, receiver: &Value, key: NameKey) -> Vec<Member> {
        self.record_lookup(key);
        let own;
        let instance = match receiver {
            Value::Instance { .. } => receiver,
            Value::Parent { symbol } if self.world.definition(*symbol).kind.is_type() => {
                own = self.own_instance(*symbol);
                &own
            }
            Value::Parameter(parameter) => {
                let bounds = self.bounds(*parameter);
                let types = bounds.iter().filter(|bound| matches!(bound, Value::Instance { .. }));
                return types.flat_map(|bound| self.methods_by_key(bound, key)).collect();
            }
            _ => return Vec::new(),
        };
        let mut methods = self.methods_by_key(instance, key);
        if let Value::Parent { symbol } = receiver {
            methods.retain(|member| !self.world.own_members(*symbol, key).contains(&member.symbol));
        }
        methods
    }

    fn methods_by_key(&mut self, instance: &Value, key: NameKey) -> Vec<Member> {
        let mut found = Vec::new();
        for ancestor in self.ancestors(instance).iter() {
            let Value::Instance { symbol, args } = ancestor else { continue };
            self.consult(*symbol);
            let members = self.world.own_members(*symbol, key);
            self.count(members.len());
            for member in members {
                let definition = self.world.definition(*member);
                if definition.kind.is_callable() && !definition.flags.is_property {
                    self.consult(*member);
                    let bound = self.member_substitution(*member, (*symbol, args), instance);
                    found.push(Member { symbol: *member, bound });
                }
            }
            if !self.rules(symbol.file).traits().defines_apart {
                self.add_extension_methods(*symbol, ancestor, key, instance, &mut found);
            }
        }
        found
    }

    /// Returns the values of arguments, and the names that they have.
    pub(super) fn arguments(&mut self, site: UseSite, args: &[ExprId], at: u32) -> Arguments {
        let names = &self.world.outline(site.file).names;
        let label = |arg: &ExprId| match self.expr(site.file, *arg) {
            Expr::Labeled { label, .. } => Some(names.key(*label)),
            _ => None,
        };
        let labels = args.iter().map(label).collect();
        Arguments { values: self.values(site, args, at), labels }
    }

    /// Returns the number of the parameter that each argument is given to; `None` if they can't be passed. A function can be
    /// given to the last one: behind the list of arguments it is.
    fn parameters_of_arguments(&self, method: SymbolRef, arguments: &Arguments) -> Option<Vec<usize>> {
        let in_order = self.passed(method, arguments, false);
        in_order.or_else(|| self.passed(method, arguments, true))
    }

    fn passed(&self, method: SymbolRef, arguments: &Arguments, takes_last: bool) -> Option<Vec<usize>> {
        let parameters = &self.world.definition(method).parameters;
        let names = &self.world.outline(method.file).names;
        let key = |number: usize| names.key(parameters[number].label.unwrap_or(parameters[number].name));
        let is_any = |number: usize| parameters[number].arguments == ArgumentCount::Any;
        let unlabeled = name_key(UNLABELED);
        let (mut numbers, mut next) = (Vec::with_capacity(arguments.values.len()), 0);
        for (index, label) in arguments.labels.iter().enumerate() {
            let is_last = index + 1 == arguments.labels.len();
            let is_function = label.is_none() && matches!(arguments.values[index], Value::Function { .. });
            let is_trailing = takes_last && is_last && is_function;
            let has_labels = parameters.iter().any(|parameter| parameter.label.is_some());
            let number = match label {
                Some(label) if has_labels => (next..parameters.len()).find(|number| key(*number) == *label)?,
                Some(label) => (0..parameters.len()).find(|number| key(*number) == *label)?,
                None if is_trailing && next < parameters.len() => parameters.len() - 1,
                None if has_labels => {
                    let known = (next..parameters.len()).find(|number| key(*number) == unlabeled);
                    known.or(numbers.last().copied().filter(|last| is_any(*last)))?
                }
                None if next < parameters.len() => next,
                None => parameters.len().checked_sub(1).filter(|last| is_any(*last))?,
            };
            numbers.push(number);
            next = if is_any(number) && !has_labels { number } else { number + 1 };
        }
        let is_given = |number: usize| numbers.contains(&number) || parameters[number].arguments != ArgumentCount::One;
        (0..parameters.len()).all(is_given).then_some(numbers)
    }

    /// Returns the method of other code that a call means because the arguments can't be passed to the only one that the
    /// receiver's type has here: it inherits that.
    pub fn inherited(&mut self, method: SymbolRef, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Value {
        if self.rules(site.file).traits().root_type.is_empty() || !self.world.definition(method).kind.is_callable() {
            return Value::Unknown;
        }
        let (receiver, name, is_of_value) = match self.expr(site.file, callee) {
            Expr::Member { base, name } => (self.member_base(site, *base, at), *name, true),
            Expr::Name(name) => (self.enclosing_type_with(site, *name).unwrap_or_default(), *name, false),
            _ => return Value::Unknown,
        };
        let name = plain_name(self.world.outline(site.file).names.get(name));
        let ancestors = self.ancestors(&receiver);
        let outside = ancestors.iter().find(|ancestor| matches!(ancestor, Value::ExternalInstance { .. }));
        let Some(outside) = outside else { return Value::Unknown };
        let arguments = self.arguments(site, args, at);
        let method = Member { symbol: method, bound: Substitution::new() };
        // Of the type around the call, the number of arguments tells enough.
        let is_passed = match is_of_value {
            true => self.fit_of_arguments(&method, &arguments).is_some(),
            false => self.parameters_of_arguments(method.symbol, &arguments).is_some(),
        };
        match is_passed {
            true => Value::Unknown,
            false => Value::ExternalMethod { receiver: Arc::new(outside.clone()), name: name.into() },
        }
    }

    /// Returns whether the labels of arguments are those of a method's parameters, in languages where these have some: what a
    /// library declares can be meant by others.
    pub fn labels_fit(&mut self, method: SymbolRef, site: UseSite, args: &[ExprId], at: u32) -> bool {
        let definition = self.world.definition(method);
        if !definition.kind.is_callable() || definition.parameters.iter().all(|parameter| parameter.label.is_none()) {
            return true;
        }
        let arguments = self.arguments(site, args, at);
        // Functions behind the list of arguments have no label, or one of several.
        arguments.values.iter().any(|value| matches!(value, Value::Function { .. }))
            || self.parameters_of_arguments(method, &arguments).is_some()
    }

    /// Returns how well arguments fit the parameters of a method; `None` if they can't be passed.
    pub(super) fn fit_of_arguments(&mut self, method: &Member, arguments: &Arguments) -> Option<u32> {
        let mut passed = [false, true].map(|takes_last| self.passed(method.symbol, arguments, takes_last));
        if passed[0] == passed[1] {
            passed[1] = None;
        }
        passed.into_iter().flatten().filter_map(|numbers| self.fit_of_passed(method, arguments, numbers)).max()
    }

    fn fit_of_passed(&mut self, method: &Member, arguments: &Arguments, numbers: Vec<usize>) -> Option<u32> {
        let definition = self.world.definition(method.symbol);
        let parameters = &definition.parameters;
        let takes_any = parameters.iter().any(|parameter| parameter.arguments == ArgumentCount::Any);
        let own = UseSite { file: method.symbol.file, scope: definition.scope };
        // A method that takes exactly these arguments precedes one that takes any number.
        let mut total = if takes_any { 0 } else { 1 };
        for (value, number) in arguments.values.iter().zip(numbers) {
            let parameter = &parameters[number];
            let expected = parameter.value_type.map_or(Value::Unknown, |expr| self.type_of(own, expr));
            let mut expected = expected.substitute(&method.bound);
            if let (Value::Unknown, Some(name), Value::ExternalInstance { .. } | Value::Function { .. }) =
                (&expected, parameter.type_name, value)
                && self.own_rules().traits().names_fit
            {
                expected = Value::external_instance(self.world.outline(own.file).names.get(name), Vec::new());
            }
            let fit = self.fit(value, &expected);
            let is_rest = parameter.arguments == ArgumentCount::Any;
            let element = if is_rest { self.fit(value, &expected.argument(0)) } else { None };
            match fit.max(element) {
                Some(fit) => total += 2 * fit,
                // A constructor of the repository may convert it.
                None if self.own_rules().traits().constructors_convert && !is_external(value, &expected) => {}
                None => return None,
            }
        }
        Some(total)
    }
}

/// Returns whether neither a value nor the type that is expected is of the repository.
fn is_external(value: &Value, expected: &Value) -> bool {
    matches!((value, expected), (Value::ExternalInstance { .. }, Value::ExternalInstance { .. }))
}
