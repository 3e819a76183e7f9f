//! Value expressions: written down, and every use of a name or member noted.

use tree_sitter::Node;

use super::extract::{At, Walker};
use super::kinds::{Kind, kind};
use super::types::is_predeclared;
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// An expression that is read.
    pub(super) fn value(&mut self, node: Node<'a>, at: At) -> ExprId {
        self.value_as(node, at, Role::Read)
    }

    /// An expression used in some role; what it is made of is read.
    pub(super) fn value_as(&mut self, node: Node<'a>, at: At, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier => self.identifier(node, at, role),
            Kind::SelectorExpression => self.selector(node, at, role),
            Kind::CallExpression => self.call(node, at),
            Kind::ParenthesizedExpression => {
                let children = self.list(node);
                children.first().map_or(self.unknown, |inner| self.value_as(*inner, at, role))
            }
            Kind::UnaryExpression => self.unary(node, at),
            Kind::BinaryExpression => self.binary(node, at),
            Kind::IndexExpression => self.index(node, at, role),
            Kind::SliceExpression => self.slice(node, at),
            Kind::TypeConversion
                if self.child(node, self.fields.value_type).is_some_and(|t| kind(t) == Kind::GenericType) =>
            {
                self.applied_call(node, at)
            }
            Kind::TypeAssertion | Kind::TypeConversion => {
                if let Some(operand) = self.child(node, self.fields.operand) {
                    self.value(operand, at);
                }
                let Some(written) = self.child(node, self.fields.value_type) else { return self.unknown };
                let inner = self.type_expr(written, at);
                self.facts.expr(Expr::Instance(inner))
            }
            Kind::TypeInstantiation => self.instantiation(node, at, role),
            Kind::CompositeLiteral => self.composite(node, at),
            Kind::FuncLiteral => self.closure(node, at),
            Kind::InterpretedString | Kind::RawString => self.builtin("string"),
            Kind::IntLiteral | Kind::Iota => self.builtin("int"),
            Kind::RuneLiteral => self.builtin("rune"),
            Kind::FloatLiteral => self.builtin("float64"),
            Kind::ImaginaryLiteral => self.builtin("complex128"),
            Kind::True | Kind::False => self.builtin("bool"),
            Kind::Nil | Kind::LabelName | Kind::BlankIdentifier => self.unknown,
            // Types stand where values are expected in `new(T)`, and after a syntax error anywhere.
            Kind::TypeIdentifier
            | Kind::QualifiedType
            | Kind::GenericType
            | Kind::PointerType
            | Kind::ArrayType
            | Kind::SliceType
            | Kind::MapType
            | Kind::ChannelType
            | Kind::FunctionType
            | Kind::StructType
            | Kind::InterfaceType => self.type_expr(node, at),
            _ => self.first_of(node, at),
        }
    }

    /// A node that only wraps others: all are walked, the first gives the value.
    fn first_of(&mut self, node: Node<'a>, at: At) -> ExprId {
        let mut first = None;
        self.each(node, |walker, child| {
            let expr = walker.visit(child, at);
            first = first.or(expr);
        });
        first.unwrap_or(self.unknown)
    }

    fn identifier(&mut self, node: Node<'a>, at: At, role: Role) -> ExprId {
        let name = self.source(node);
        if name == "_" {
            return self.unknown;
        }
        if is_predeclared(name) {
            return self.builtin(name);
        }
        let expr = self.facts.name(name);
        self.refer(expr, node, role, at);
        expr
    }

    fn selector(&mut self, node: Node<'a>, at: At, role: Role) -> ExprId {
        let (Some(operand), Some(field)) = (self.child(node, self.fields.operand), self.child(node, self.fields.field))
        else {
            return self.first_of(node, at);
        };
        let base = match kind(operand) {
            Kind::Identifier => self.base_name(operand, at),
            _ => self.value(operand, at),
        };
        let expr = self.facts.member(base, &self.text[field.byte_range()]);
        self.refer(expr, field, role, at);
        expr
    }

    fn call(&mut self, node: Node<'a>, at: At) -> ExprId {
        let Some(function) = self.child(node, self.fields.function) else { return self.first_of(node, at) };
        let arguments = self.child(node, self.fields.arguments);
        if kind(function) == Kind::Identifier
            && let Some(result) = self.builtin_call(self.source(function), arguments, at)
        {
            return result;
        }
        let mut callee = self.value_as(function, at, Role::Call);
        if let Some(list) = self.child(node, self.fields.type_arguments) {
            let args = self.type_list(list, at);
            callee = self.facts.expr(Expr::Apply { base: callee, args });
        }
        let nodes = arguments.map_or(Vec::new(), |list| self.list(list));
        let args: Vec<ExprId> = nodes.iter().map(|argument| self.value(*argument, at)).collect();
        self.signals(function, &nodes, &args, at);
        self.facts.expr(Expr::Call { callee, args })
    }

    /// `f[T](x)`, `List[T](x)` and `list[i](x)` with just one argument: the grammar takes them all for conversions.
    fn applied_call(&mut self, node: Node<'a>, at: At) -> ExprId {
        let Some(written) = self.child(node, self.fields.value_type) else { return self.unknown };
        let base = self.child(written, self.fields.value_type).map_or(self.unknown, |name| self.named_callee(name, at));
        let list = self.child(written, self.fields.type_arguments);
        let args = list.map_or(Vec::new(), |list| self.type_list(list, at));
        let callee = self.facts.expr(Expr::Apply { base, args });
        let args = self.child(node, self.fields.operand).map(|operand| self.value(operand, at));
        self.facts.expr(Expr::Call { callee, args: args.into_iter().collect() })
    }

    /// A callee that the grammar takes for a type.
    fn named_callee(&mut self, node: Node<'a>, at: At) -> ExprId {
        if kind(node) != Kind::QualifiedType {
            return self.identifier(node, at, Role::Call);
        }
        let (Some(package), Some(name)) = (self.child(node, self.fields.package), self.child(node, self.fields.name))
        else {
            return self.unknown;
        };
        let base = self.base_name(package, at);
        let expr = self.facts.member(base, &self.text[name.byte_range()]);
        self.refer(expr, name, Role::Call, at);
        expr
    }

    /// A name that something is selected from. A package's name is no use of its own; where a local variable has the
    /// name of a package, dropping its use loses nothing.
    fn base_name(&mut self, node: Node<'a>, at: At) -> ExprId {
        let name = self.source(node);
        if self.imports.contains_key(name) { self.facts.name(name) } else { self.identifier(node, at, Role::Read) }
    }

    /// Calls of the language's own functions whose result matters; conversions to its own types.
    fn builtin_call(&mut self, name: &str, arguments: Option<Node<'a>>, at: At) -> Option<ExprId> {
        if !is_predeclared(name) && !matches!(name, "new" | "make" | "append" | "len" | "cap" | "panic") {
            return None;
        }
        let nodes = arguments.map_or(Vec::new(), |list| self.list(list));
        if matches!(name, "new" | "make") {
            let (written, rest) = nodes.split_first()?;
            let inner = self.type_expr(*written, at);
            rest.iter().for_each(|argument| {
                self.value(*argument, at);
            });
            return Some(self.facts.expr(Expr::Instance(inner)));
        }
        let args: Vec<ExprId> = nodes.iter().map(|argument| self.value(*argument, at)).collect();
        Some(match name {
            "append" => args.first().copied().unwrap_or(self.unknown),
            "len" | "cap" => self.builtin("int"),
            "panic" => self.unknown,
            _ => self.builtin(name),
        })
    }

    fn unary(&mut self, node: Node<'a>, at: At) -> ExprId {
        let Some(operand) = self.child(node, self.fields.operand) else { return self.first_of(node, at) };
        let inner = self.value(operand, at);
        match self.child(node, self.fields.operator).map(|operator| self.source(operator)) {
            Some("<-") => self.facts.expr(Expr::Element(inner)),
            Some("!") => self.builtin("bool"),
            _ => inner,
        }
    }

    /// An arithmetic expression has the type of its operands; a literal takes on that of the other one.
    fn binary(&mut self, node: Node<'a>, at: At) -> ExprId {
        let (Some(left), Some(right)) = (self.child(node, self.fields.left), self.child(node, self.fields.right))
        else {
            return self.first_of(node, at);
        };
        let (first, second) = (self.value(left, at), self.value(right, at));
        match self.child(node, self.fields.operator).map(|operator| self.source(operator)) {
            Some("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") => self.builtin("bool"),
            _ if matches!(kind(left), Kind::IntLiteral | Kind::FloatLiteral | Kind::InterpretedString) => second,
            _ => first,
        }
    }

    /// `x[i]`; where the grammar can't tell `f[T]`, an index that names one of the language's types does.
    fn index(&mut self, node: Node<'a>, at: At, role: Role) -> ExprId {
        let Some(operand) = self.child(node, self.fields.operand) else { return self.first_of(node, at) };
        let index = self.child(node, self.fields.index);
        let is_type = index.is_some_and(|index| is_predeclared(self.source(index)));
        let base = self.value_as(operand, at, if is_type { role } else { Role::Read });
        let argument = index.map_or(self.unknown, |index| self.value(index, at));
        if is_type {
            return self.facts.expr(Expr::Apply { base, args: vec![argument] });
        }
        self.facts.expr(Expr::Index(base))
    }

    fn slice(&mut self, node: Node<'a>, at: At) -> ExprId {
        let mut sliced = self.unknown;
        let operand = self.fields.operand;
        self.each_with_field(node, |walker, child, field| {
            let expr = walker.value(child, at);
            if field == operand {
                sliced = expr;
            }
        });
        sliced
    }

    /// `f[K, V]` without a call.
    fn instantiation(&mut self, node: Node<'a>, at: At, role: Role) -> ExprId {
        let mut base = None;
        let mut args = Vec::new();
        self.each(node, |walker, child| match base {
            None => base = Some(walker.value_as(child, at, role)),
            Some(_) => args.push(walker.type_expr(child, at)),
        });
        let Some(base) = base else { return self.unknown };
        self.facts.expr(Expr::Apply { base, args })
    }
}
