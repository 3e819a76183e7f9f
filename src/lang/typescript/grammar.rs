//! Node kinds and fields of the grammars as integers, which are cheaper to compare than strings.

use std::sync::LazyLock;

use tree_sitter::{Language, Node};

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// A node kind that extraction handles; all others are [`Kind::Other`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { Other, $($variant),* }

        fn kind_named(name: &str) -> Kind {
            match name {
                $($name => Kind::$variant,)*
                _ => Kind::Other,
            }
        }
    };
}

kinds! {
    AbstractClass = "abstract_class_declaration",
    AbstractMethod = "abstract_method_signature",
    AddingType = "adding_type_annotation",
    Ambient = "ambient_declaration",
    Array = "array",
    ArrayPattern = "array_pattern",
    ArrayType = "array_type",
    Arrow = "arrow_function",
    As = "as_expression",
    Assertion = "type_assertion",
    Asserts = "asserts",
    AssertsAnnotation = "asserts_annotation",
    Assignment = "assignment_expression",
    AssignmentPattern = "assignment_pattern",
    AugmentedAssignment = "augmented_assignment_expression",
    Await = "await_expression",
    Binary = "binary_expression",
    Call = "call_expression",
    CallSignature = "call_signature",
    Catch = "catch_clause",
    Class = "class",
    ClassDeclaration = "class_declaration",
    ClassHeritage = "class_heritage",
    ClassStaticBlock = "class_static_block",
    Comment = "comment",
    ComputedName = "computed_property_name",
    ConditionalType = "conditional_type",
    ConstructSignature = "construct_signature",
    ConstructorType = "constructor_type",
    Decorator = "decorator",
    EnumAssignment = "enum_assignment",
    EnumDeclaration = "enum_declaration",
    Export = "export_statement",
    ExportClause = "export_clause",
    ExportSpecifier = "export_specifier",
    ExtendsClause = "extends_clause",
    ExtendsType = "extends_type_clause",
    False = "false",
    Field = "public_field_definition",
    ForIn = "for_in_statement",
    FunctionDeclaration = "function_declaration",
    FunctionExpression = "function_expression",
    FunctionSignature = "function_signature",
    FunctionType = "function_type",
    GeneratorDeclaration = "generator_function_declaration",
    GeneratorFunction = "generator_function",
    GenericType = "generic_type",
    Identifier = "identifier",
    If = "if_statement",
    ImplementsClause = "implements_clause",
    Import = "import_statement",
    ImportAlias = "import_alias",
    ImportClause = "import_clause",
    ImportKeyword = "import",
    ImportRequire = "import_require_clause",
    ImportSpecifier = "import_specifier",
    IndexSignature = "index_signature",
    IndexTypeQuery = "index_type_query",
    InferType = "infer_type",
    Instantiation = "instantiation_expression",
    InterfaceDeclaration = "interface_declaration",
    InternalModule = "internal_module",
    IntersectionType = "intersection_type",
    JsxAttribute = "jsx_attribute",
    JsxElement = "jsx_element",
    JsxExpression = "jsx_expression",
    JsxOpening = "jsx_opening_element",
    JsxSelfClosing = "jsx_self_closing_element",
    JsxText = "jsx_text",
    LexicalDeclaration = "lexical_declaration",
    LiteralType = "literal_type",
    LookupType = "lookup_type",
    MappedType = "mapped_type_clause",
    Member = "member_expression",
    MethodDefinition = "method_definition",
    MethodSignature = "method_signature",
    Module = "module",
    NamedImports = "named_imports",
    NamespaceExport = "namespace_export",
    NamespaceImport = "namespace_import",
    NestedIdentifier = "nested_identifier",
    NestedType = "nested_type_identifier",
    New = "new_expression",
    NonNull = "non_null_expression",
    Null = "null",
    Number = "number",
    Object = "object",
    ObjectAssignmentPattern = "object_assignment_pattern",
    ObjectPattern = "object_pattern",
    ObjectType = "object_type",
    OptionalParameter = "optional_parameter",
    OptionalType = "optional_type",
    Pair = "pair",
    PairPattern = "pair_pattern",
    Parenthesized = "parenthesized_expression",
    ParenthesizedType = "parenthesized_type",
    PredefinedType = "predefined_type",
    PrivateProperty = "private_property_identifier",
    PropertyIdentifier = "property_identifier",
    PropertySignature = "property_signature",
    ReadonlyType = "readonly_type",
    Regex = "regex",
    RequiredParameter = "required_parameter",
    RestPattern = "rest_pattern",
    RestType = "rest_type",
    Return = "return_statement",
    Satisfies = "satisfies_expression",
    Sequence = "sequence_expression",
    ShorthandPattern = "shorthand_property_identifier_pattern",
    ShorthandProperty = "shorthand_property_identifier",
    Spread = "spread_element",
    StatementBlock = "statement_block",
    String = "string",
    StringFragment = "string_fragment",
    Subscript = "subscript_expression",
    Super = "super",
    TemplateString = "template_string",
    TemplateSubstitution = "template_substitution",
    TemplateType = "template_literal_type",
    Ternary = "ternary_expression",
    This = "this",
    ThisType = "this_type",
    Throw = "throw_statement",
    True = "true",
    TupleType = "tuple_type",
    TypeAlias = "type_alias_declaration",
    TypeAnnotation = "type_annotation",
    TypeArguments = "type_arguments",
    TypeIdentifier = "type_identifier",
    TypeParameter = "type_parameter",
    TypeParameters = "type_parameters",
    TypePredicate = "type_predicate",
    TypePredicateAnnotation = "type_predicate_annotation",
    TypeQuery = "type_query",
    Unary = "unary_expression",
    Undefined = "undefined",
    UnionType = "union_type",
    Update = "update_expression",
    VariableDeclaration = "variable_declaration",
    VariableDeclarator = "variable_declarator",
    Yield = "yield_expression",
}

macro_rules! fields {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// Ids of the grammar's fields. Id 0 is never used by the grammar, so an unknown field is never found.
        #[derive(Debug, Clone, Copy)]
        pub struct Fields { $(pub $name: u16),* }

        fn fields_of(language: &Language) -> Fields {
            Fields { $($name: language.field_id_for_name($text).map_or(0, |id| id.get())),* }
        }
    };
}

fields! {
    alias = "alias",
    alternative = "alternative",
    argument = "argument",
    arguments = "arguments",
    body = "body",
    condition = "condition",
    consequence = "consequence",
    constraint = "constraint",
    constructor = "constructor",
    declaration = "declaration",
    function = "function",
    index = "index",
    index_type = "index_type",
    key = "key",
    left = "left",
    module = "module",
    name = "name",
    object = "object",
    operator = "operator",
    parameter = "parameter",
    parameters = "parameters",
    pattern = "pattern",
    property = "property",
    return_type = "return_type",
    right = "right",
    source = "source",
    annotation = "type",
    type_arguments = "type_arguments",
    type_parameters = "type_parameters",
    value = "value",
}

/// Tables that translate the ids of one of the two grammars.
#[derive(Debug)]
pub struct Grammar {
    kinds: Vec<Kind>,
    pub fields: Fields,
}

impl Grammar {
    fn new(language: &Language) -> Grammar {
        let count = language.node_kind_count() as u16;
        let kind = |id| match language.node_kind_is_named(id) {
            true => language.node_kind_for_id(id).map_or(Kind::Other, kind_named),
            false => Kind::Other,
        };
        Grammar { kinds: (0..count).map(kind).collect(), fields: fields_of(language) }
    }

    /// Returns the kind of a node. Anonymous nodes are [`Kind::Other`].
    pub fn kind(&self, node: Node<'_>) -> Kind {
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
    }
}

static TYPESCRIPT: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()));
static TSX: LazyLock<Grammar> = LazyLock::new(|| Grammar::new(&tree_sitter_typescript::LANGUAGE_TSX.into()));

/// Returns the tables of the plain grammar or of TSX.
pub fn grammar(is_plain: bool) -> &'static Grammar {
    if is_plain { &TYPESCRIPT } else { &TSX }
}
