//! Annotations and other expressions that are types.

use std::cell::RefCell;

use tree_sitter::{Node, Parser, Range};

use super::extract::Walker;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Expr, ExprId, Role};

/// Maximum size of a quoted annotation, which bounds the depth of its tree.
const MAX_QUOTED_BYTES: usize = 300;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

impl Walker<'_> {
    /// Adds a type expression.
    pub(super) fn annotation(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Type | Kind::ParenthesizedExpression | Kind::ConstrainedType | Kind::SplatType => {
                first_child(node).map_or(self.unknown, |inner| self.annotation(inner))
            }
            Kind::Identifier | Kind::Attribute => self.named_type(node),
            Kind::Subscript => self.subscripted_type(node),
            Kind::GenericType => self.generic_type(node),
            Kind::BinaryOperator | Kind::UnionType => {
                let parts = children(node).into_iter().map(|part| self.annotation(part)).collect();
                self.union(parts)
            }
            Kind::MemberType => self.member_type(node),
            Kind::None => self.builtin("None"),
            Kind::String => self.forward_reference(node),
            Kind::List => {
                let parts = children(node).into_iter().map(|part| self.annotation(part)).collect();
                self.facts.expr(Expr::Tuple(parts))
            }
            Kind::ListSplat => first_child(node).map_or(self.unknown, |inner| self.annotation(inner)),
            _ => {
                self.value(node);
                self.unknown
            }
        }
    }

    /// Adds a type that is a name or a dotted name.
    fn named_type(&mut self, node: Node<'_>) -> ExprId {
        let last = self.last_name(node);
        if last == "Self" {
            self.value_as(node, Role::Type);
            return self.facts.expr(Expr::ReceiverType);
        }
        if kind(node) == Kind::Identifier {
            let text = self.text_of(node);
            self.words(text);
            let name = self.facts.atom(text);
            let is_variable = self.type_variables.contains_key(&name)
                || (self.imported.contains(&name) && looks_like_type_variable(text));
            if is_variable && !self.used_type_variables.contains(&name) {
                self.used_type_variables.push(name);
            }
            // Not the value of a local: a parameter may have the name of its type or module.
            let expr = self.facts.expr(Expr::Name(name));
            self.add_reference(expr, node.start_byte(), Role::Type);
            return expr;
        }
        self.value_as(node, Role::Type)
    }

    fn subscripted_type(&mut self, node: Node<'_>) -> ExprId {
        let Some(value) = field(node, FIELDS.value) else { return self.unknown };
        let mut args = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor).skip(1) {
            match kind(child) {
                Kind::Comment => {}
                Kind::Tuple => args.extend(children(child)),
                _ => args.push(child),
            }
        }
        self.generic_application(value, &args)
    }

    fn generic_type(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let Some(base) = parts.first() else { return self.unknown };
        let args = parts.get(1).map(|list| children(*list)).unwrap_or_default();
        self.generic_application(*base, &args)
    }

    /// Adds `a.B` where the grammar parses it as a member type.
    fn member_type(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let [base, name] = parts.as_slice() else { return self.unknown };
        let base = self.annotation(*base);
        let text = self.text_of(*name);
        let expr = self.facts.member(base, text);
        self.add_reference(expr, name.start_byte(), Role::Type);
        expr
    }

    /// Adds a generic application. Special forms of `typing` become the type they denote.
    fn generic_application(&mut self, base_node: Node<'_>, args: &[Node<'_>]) -> ExprId {
        let last = self.last_name(base_node).to_owned();
        let base = self.named_type_or_value(base_node);
        match last.as_str() {
            "Literal" => {
                for argument in args {
                    self.value(*argument);
                }
                return self.builtin("str");
            }
            "Annotated" => {
                let inner = args.first().map_or(self.unknown, |inner| self.annotation(*inner));
                for extra in args.iter().skip(1) {
                    self.value(*extra);
                }
                return inner;
            }
            "Callable" => return self.callable_type(args),
            _ => {}
        }
        let mut inner: Vec<ExprId> = args.iter().map(|argument| self.annotation(*argument)).collect();
        match last.as_str() {
            "Optional" => {
                inner.push(self.builtin("None"));
                self.union(inner)
            }
            "Union" => self.union(inner),
            "ClassVar" | "Final" | "Required" | "NotRequired" | "ReadOnly" | "InitVar" | "Unpack" => {
                inner.first().copied().unwrap_or(self.unknown)
            }
            "TypeGuard" | "TypeIs" => self.builtin("bool"),
            "Type" | "type" => self.facts.builtin("type", inner),
            _ => self.facts.expr(Expr::Apply { base, args: inner }),
        }
    }

    fn named_type_or_value(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::Attribute => self.named_type(node),
            _ => self.value(node),
        }
    }

    /// Adds a function type: `Callable[[A, B], R]`.
    fn callable_type(&mut self, args: &[Node<'_>]) -> ExprId {
        let (mut params, mut result) = (Vec::new(), None);
        if let Some(first) = args.first() {
            let inner = if kind(*first) == Kind::Type { first_child(*first) } else { Some(*first) };
            match inner {
                Some(list) if kind(list) == Kind::List => {
                    params = children(list).into_iter().map(|parameter| self.annotation(parameter)).collect();
                }
                _ => {
                    self.annotation(*first);
                }
            }
        }
        if let Some(second) = args.get(1) {
            result = Some(self.annotation(*second));
        }
        self.facts.expr(Expr::Function { params, result })
    }

    /// Adds a base class: `Base`, `Generic[T]`, `Base[int]`, `make_base()`.
    pub(super) fn base_class(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::Attribute => self.value_as(node, Role::Type),
            Kind::Subscript => self.annotation(node),
            _ => {
                self.value(node);
                self.unknown
            }
        }
    }

    /// Adds a quoted type (a forward reference, PEP 484). Its text is parsed in place, so that byte positions are those
    /// in the file.
    fn forward_reference(&mut self, node: Node<'_>) -> ExprId {
        let count = node.child_count();
        let (Some(start), Some(end)) = (node.child(0), node.child(count.saturating_sub(1))) else {
            return self.unknown;
        };
        if count < 2 || end.start_byte() <= start.end_byte() || end.start_byte() - start.end_byte() > MAX_QUOTED_BYTES {
            return self.unknown;
        }
        let range = Range {
            start_byte: start.end_byte(),
            end_byte: end.start_byte(),
            start_point: start.end_position(),
            end_point: end.start_position(),
        };
        let Some(tree) = parse_range(self.text, range) else { return self.unknown };
        let root = tree.root_node();
        let expression = first_child(root).filter(|statement| kind(*statement) == Kind::ExpressionStatement);
        match expression.and_then(first_child) {
            Some(inner) if !root.has_error() => self.annotation(inner),
            _ => self.unknown,
        }
    }
}

/// Returns whether an imported name is probably a type variable: `T`, `_T`, `KT`, `T_co`.
fn looks_like_type_variable(name: &str) -> bool {
    let name = name.strip_prefix('_').unwrap_or(name);
    let stem = name.strip_suffix("_co").or_else(|| name.strip_suffix("_contra")).unwrap_or(name);
    matches!(stem.len(), 1 | 2) && stem.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// Parses a part of the text; positions are those in the whole text.
fn parse_range(text: &str, range: Range) -> Option<tree_sitter::Tree> {
    PARSER.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.set_included_ranges(&[range]).ok()?;
        parser.parse(text, None)
    })
}
