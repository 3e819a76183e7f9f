//! Node kinds and fields of the Go grammar as numbers, so that the walk never compares strings.

use std::sync::LazyLock;

use tree_sitter::{Language, Node};

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// A named node kind that the walk distinguishes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Kind { $($variant,)* Other }

        fn kind_table(language: &Language) -> Vec<Kind> {
            let mut table = vec![Kind::Other; language.node_kind_count()];
            for id in 0..language.node_kind_count() as u16 {
                if language.node_kind_is_named(id) {
                    table[id as usize] = match language.node_kind_for_id(id) {
                        $(Some($name) => Kind::$variant,)*
                        _ => Kind::Other,
                    };
                }
            }
            table
        }
    };
}

kinds! {
    ArgumentList = "argument_list",
    ArrayType = "array_type",
    AssignmentStatement = "assignment_statement",
    BinaryExpression = "binary_expression",
    BlankIdentifier = "blank_identifier",
    Block = "block",
    CallExpression = "call_expression",
    ChannelType = "channel_type",
    Comment = "comment",
    CommunicationCase = "communication_case",
    CompositeLiteral = "composite_literal",
    ConstDeclaration = "const_declaration",
    ConstSpec = "const_spec",
    DefaultCase = "default_case",
    Dot = "dot",
    ExpressionCase = "expression_case",
    ExpressionList = "expression_list",
    ExpressionSwitch = "expression_switch_statement",
    False = "false",
    FieldDeclaration = "field_declaration",
    FieldDeclarationList = "field_declaration_list",
    FieldIdentifier = "field_identifier",
    FloatLiteral = "float_literal",
    ForClause = "for_clause",
    ForStatement = "for_statement",
    FuncLiteral = "func_literal",
    FunctionDeclaration = "function_declaration",
    FunctionType = "function_type",
    GenericType = "generic_type",
    Identifier = "identifier",
    IfStatement = "if_statement",
    ImaginaryLiteral = "imaginary_literal",
    ImplicitLengthArrayType = "implicit_length_array_type",
    ImportDeclaration = "import_declaration",
    ImportSpec = "import_spec",
    IndexExpression = "index_expression",
    IntLiteral = "int_literal",
    InterfaceType = "interface_type",
    InterpretedString = "interpreted_string_literal",
    Iota = "iota",
    KeyedElement = "keyed_element",
    LabelName = "label_name",
    LiteralElement = "literal_element",
    LiteralValue = "literal_value",
    MapType = "map_type",
    MethodDeclaration = "method_declaration",
    MethodElem = "method_elem",
    NegatedType = "negated_type",
    Nil = "nil",
    PackageClause = "package_clause",
    PackageIdentifier = "package_identifier",
    ParameterDeclaration = "parameter_declaration",
    ParameterList = "parameter_list",
    ParenthesizedExpression = "parenthesized_expression",
    ParenthesizedType = "parenthesized_type",
    PointerType = "pointer_type",
    QualifiedType = "qualified_type",
    RangeClause = "range_clause",
    RawString = "raw_string_literal",
    ReceiveStatement = "receive_statement",
    RuneLiteral = "rune_literal",
    SelectorExpression = "selector_expression",
    ShortVarDeclaration = "short_var_declaration",
    SliceExpression = "slice_expression",
    SliceType = "slice_type",
    StructType = "struct_type",
    True = "true",
    TypeAlias = "type_alias",
    TypeArguments = "type_arguments",
    TypeAssertion = "type_assertion_expression",
    TypeCase = "type_case",
    TypeConstraint = "type_constraint",
    TypeConversion = "type_conversion_expression",
    TypeDeclaration = "type_declaration",
    TypeElem = "type_elem",
    TypeIdentifier = "type_identifier",
    TypeInstantiation = "type_instantiation_expression",
    TypeParameterDeclaration = "type_parameter_declaration",
    TypeSpec = "type_spec",
    TypeSwitch = "type_switch_statement",
    UnaryExpression = "unary_expression",
    VarDeclaration = "var_declaration",
    VarSpec = "var_spec",
    VariadicParameter = "variadic_parameter_declaration",
}

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// Ids of the grammar's fields.
        pub(super) struct Fields { $(pub $field: u16,)* }

        fn field_table(language: &Language) -> Fields {
            // A field that the grammar lacks gets id 0, which no child has.
            let id = |name: &str| language.field_id_for_name(name).map_or(0, |id| id.get());
            Fields { $($field: id($name),)* }
        }
    };
}

fields! {
    alias = "alias",
    arguments = "arguments",
    body = "body",
    element = "element",
    field = "field",
    function = "function",
    index = "index",
    initializer = "initializer",
    key = "key",
    left = "left",
    length = "length",
    name = "name",
    operand = "operand",
    operator = "operator",
    package = "package",
    parameters = "parameters",
    path = "path",
    receiver = "receiver",
    result = "result",
    right = "right",
    type_arguments = "type_arguments",
    type_parameters = "type_parameters",
    value = "value",
    value_type = "type",
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| kind_table(&tree_sitter_go::LANGUAGE.into()));

/// The ids of the grammar's fields.
pub(super) static FIELDS: LazyLock<Fields> = LazyLock::new(|| field_table(&tree_sitter_go::LANGUAGE.into()));

/// Returns the kind of a node.
pub(super) fn kind(node: Node<'_>) -> Kind {
    KINDS.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
}
