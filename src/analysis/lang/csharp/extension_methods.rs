//! Extension methods: which one of a name a call means by the type of its receiver.
//!
//! A name can have any number of methods and of calls, so the methods are grouped by the type that they extend. How well a
//! receiver fits depends on that type without its arguments. So the first method of each type represents it, and a call
//! looks only at the types that its receiver can have.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{NAME, conversions};
use crate::facts::{NameKey, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{Substitution, SymbolRef, Value};

/// Extension methods by name, in the order of the files. The receiver's type is the `value_type` of the definition.
#[derive(Default)]
pub struct ExtensionMethods(HashMap<NameKey, Vec<SymbolRef>>);

impl ExtensionMethods {
    /// Adds a method.
    pub fn add(&mut self, name: NameKey, symbol: SymbolRef) {
        self.0.entry(name).or_default().push(symbol);
    }
}

/// The extension methods of one name, by the types that they extend.
#[derive(Default)]
struct ByReceiver {
    /// The methods with the types that they extend, the first one of each type.
    methods: Vec<(SymbolRef, Value)>,
    own: HashMap<SymbolRef, usize>,
    external: HashMap<String, usize>,
    /// Numbers of bytes of the external names.
    lengths: BTreeSet<usize>,
    first_external: Option<usize>,
    first_interface: Option<usize>,
    /// Methods of arrays, of functions and of type parameters.
    others: Vec<usize>,
}

impl ByReceiver {
    fn add(&mut self, symbol: SymbolRef, expected: Value) {
        let number = self.methods.len();
        match &expected {
            Value::Instance { symbol: extended, .. } => {
                if self.own.contains_key(extended) {
                    return;
                }
                self.own.insert(*extended, number);
            }
            Value::ExternalInstance { name, .. } if &**name != "[]" => {
                if self.external.contains_key(&**name) {
                    return;
                }
                self.external.insert(name.to_string(), number);
                self.lengths.insert(name.len());
                self.first_external.get_or_insert(number);
                if conversions::is_interface(name) {
                    self.first_interface.get_or_insert(number);
                }
            }
            Value::Unknown => return,
            _ => self.others.push(number),
        }
        self.methods.push((symbol, expected));
    }

    /// Adds the numbers of the methods that can fit a receiver best. `None` if all can.
    fn candidates(&self, eval: &mut Evaluator<'_>, receiver: &Value, found: &mut BTreeSet<usize>) -> Option<()> {
        match receiver {
            Value::Instance { .. } => {
                let ancestors = eval.ancestors(receiver);
                for ancestor in ancestors.iter() {
                    match ancestor {
                        Value::Instance { symbol, .. } => found.extend(self.own.get(symbol)),
                        Value::ExternalInstance { name, .. } => found.extend(self.external.get(&**name)),
                        _ => {}
                    }
                }
                found.extend(self.external.get("object"));
                found.extend(self.first_external);
            }
            Value::ExternalInstance { name, .. } => {
                let suffixes = self.lengths.iter().filter_map(|length| name.get(name.len().checked_sub(*length)?..));
                found.extend(suffixes.filter_map(|suffix| self.external.get(suffix)));
                let converted = conversions::targets();
                found.extend(converted.filter_map(|name| self.external.get(name)));
                found.extend(self.first_interface);
            }
            Value::Union(parts) => {
                for part in parts.iter() {
                    self.candidates(eval, part, found)?;
                }
            }
            Value::Parameter(parameter) => {
                for bound in eval.bounds(*parameter) {
                    self.candidates(eval, &bound, found)?;
                }
                found.extend((!self.methods.is_empty()).then_some(0));
            }
            Value::Tuple(_) => found.extend((!self.methods.is_empty()).then_some(0)),
            Value::Unknown | Value::Module(_) | Value::Symbol { .. } => return Some(()),
            _ => return None,
        }
        found.extend(&self.others);
        Some(())
    }
}

/// Returns the first extension method of this name, if only one class has such methods.
pub fn only(eval: &mut Evaluator<'_>, name: &str) -> Option<SymbolRef> {
    let world = eval.world;
    let key = name_key(name);
    eval.record_lookup(key);
    let symbols = world.modules.state::<ExtensionMethods>(NAME)?.0.get(&key)?;
    let first = *symbols.first()?;
    let owner = |symbol: &SymbolRef| (symbol.file, world.definition(*symbol).parent);
    symbols.iter().all(|symbol| owner(symbol) == owner(&first)).then_some(first)
}

/// Returns the extension method of this name that fits a receiver best.
pub fn extension_method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let world = eval.world;
    let key = name_key(name);
    eval.record_lookup(key);
    let symbols = world.modules.state::<ExtensionMethods>(NAME)?.0.get(&key)?;
    let by_receiver: Arc<ByReceiver> = eval.memoized(key, |eval| {
        eval.count(symbols.len());
        let mut by_receiver = ByReceiver::default();
        for &symbol in symbols {
            eval.consult(symbol);
            let definition = world.definition(symbol);
            let site = UseSite { file: symbol.file, scope: definition.scope };
            let expected = definition.value_type.map(|known| eval.type_of(site, known)).unwrap_or_default();
            by_receiver.add(symbol, expected);
        }
        by_receiver
    });
    let mut candidates = BTreeSet::new();
    if by_receiver.candidates(eval, receiver, &mut candidates).is_none() {
        candidates = (0..by_receiver.methods.len()).collect();
    }
    eval.count(candidates.len());
    let mut best: Option<(u32, usize)> = None;
    for number in candidates {
        let Some(fit) = conversions::fit_of_receiver(eval, receiver, &by_receiver.methods[number].1) else { continue };
        if best.is_none_or(|(known, _)| fit > known) {
            best = Some((fit, number));
        }
    }
    let (symbol, expected) = &by_receiver.methods[best?.1];
    let mut bound = Substitution::new();
    expected.unify(receiver, &mut bound);
    Some(Value::Symbol { symbol: *symbol, bound: Arc::new(bound) })
}
