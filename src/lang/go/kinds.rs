//! Node kinds and fields of the Go grammar by number, so that the walk never compares strings.

use std::sync::LazyLock;

use tree_sitter::Node;

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// The named kinds of node that the walk tells apart.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Kind { $($variant,)* Other }

        fn kind_named(name: &str) -> Kind {
            match name {
                $($name => Kind::$variant,)*
                _ => Kind::Other,
            }
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

/// Numbers of the grammar's fields.
pub(super) struct Fields {
    pub alias: u16,
    pub arguments: u16,
    pub body: u16,
    pub element: u16,
    pub field: u16,
    pub function: u16,
    pub index: u16,
    pub initializer: u16,
    pub key: u16,
    pub left: u16,
    pub length: u16,
    pub name: u16,
    pub operand: u16,
    pub operator: u16,
    pub package: u16,
    pub parameters: u16,
    pub path: u16,
    pub receiver: u16,
    pub result: u16,
    pub right: u16,
    pub type_arguments: u16,
    pub type_parameters: u16,
    pub value: u16,
    pub value_type: u16,
}

struct Table {
    kinds: Vec<Kind>,
    fields: Fields,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let language: tree_sitter::Language = tree_sitter_go::LANGUAGE.into();
    let kinds = (0..language.node_kind_count() as u16)
        .map(|id| match language.node_kind_for_id(id) {
            Some(name) if language.node_kind_is_named(id) => kind_named(name),
            _ => Kind::Other,
        })
        .collect();
    // A field that the grammar does not have gets number 0, which no child carries.
    let field = |name: &str| language.field_id_for_name(name).map_or(0, std::num::NonZeroU16::get);
    let fields = Fields {
        alias: field("alias"),
        arguments: field("arguments"),
        body: field("body"),
        element: field("element"),
        field: field("field"),
        function: field("function"),
        index: field("index"),
        initializer: field("initializer"),
        key: field("key"),
        left: field("left"),
        length: field("length"),
        name: field("name"),
        operand: field("operand"),
        operator: field("operator"),
        package: field("package"),
        parameters: field("parameters"),
        path: field("path"),
        receiver: field("receiver"),
        result: field("result"),
        right: field("right"),
        type_arguments: field("type_arguments"),
        type_parameters: field("type_parameters"),
        value: field("value"),
        value_type: field("type"),
    };
    Table { kinds, fields }
});

/// The kind of a node.
pub(super) fn kind(node: Node<'_>) -> Kind {
    TABLE.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
}

/// The fields' numbers.
pub(super) fn fields() -> &'static Fields {
    &TABLE.fields
}
