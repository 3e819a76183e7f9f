//! Node kinds and fields of the Python grammar as numbers, so that the walk never compares strings.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::lang::grammar_tables::{fields, kinds};

kinds! {
    AliasedImport = "aliased_import",
    AssertStatement = "assert_statement",
    AsPattern = "as_pattern",
    AsPatternTarget = "as_pattern_target",
    Assignment = "assignment",
    Attribute = "attribute",
    AugmentedAssignment = "augmented_assignment",
    Await = "await",
    BinaryOperator = "binary_operator",
    Block = "block",
    BooleanOperator = "boolean_operator",
    BreakStatement = "break_statement",
    Call = "call",
    CaseClause = "case_clause",
    CasePattern = "case_pattern",
    ClassDefinition = "class_definition",
    ClassPattern = "class_pattern",
    Comment = "comment",
    ComparisonOperator = "comparison_operator",
    ConcatenatedString = "concatenated_string",
    ConditionalExpression = "conditional_expression",
    ConstrainedType = "constrained_type",
    ContinueStatement = "continue_statement",
    DecoratedDefinition = "decorated_definition",
    Decorator = "decorator",
    DefaultParameter = "default_parameter",
    Dictionary = "dictionary",
    DictionaryComprehension = "dictionary_comprehension",
    DictionarySplat = "dictionary_splat",
    DictionarySplatPattern = "dictionary_splat_pattern",
    DictPattern = "dict_pattern",
    DottedName = "dotted_name",
    ElifClause = "elif_clause",
    ElseClause = "else_clause",
    ExceptClause = "except_clause",
    ExpressionList = "expression_list",
    ExpressionStatement = "expression_statement",
    False = "false",
    FinallyClause = "finally_clause",
    Float = "float",
    ForInClause = "for_in_clause",
    ForStatement = "for_statement",
    FunctionDefinition = "function_definition",
    FutureImport = "future_import_statement",
    GeneratorExpression = "generator_expression",
    GenericType = "generic_type",
    GlobalStatement = "global_statement",
    Identifier = "identifier",
    IfClause = "if_clause",
    IfStatement = "if_statement",
    ImportFrom = "import_from_statement",
    ImportPrefix = "import_prefix",
    ImportStatement = "import_statement",
    Integer = "integer",
    Interpolation = "interpolation",
    KeywordArgument = "keyword_argument",
    KeywordPattern = "keyword_pattern",
    Lambda = "lambda",
    List = "list",
    ListComprehension = "list_comprehension",
    ListPattern = "list_pattern",
    ListSplat = "list_splat",
    ListSplatPattern = "list_splat_pattern",
    MatchStatement = "match_statement",
    MemberType = "member_type",
    NamedExpression = "named_expression",
    None = "none",
    NonlocalStatement = "nonlocal_statement",
    NotOperator = "not_operator",
    Pair = "pair",
    ParenthesizedExpression = "parenthesized_expression",
    PatternList = "pattern_list",
    RaiseStatement = "raise_statement",
    RelativeImport = "relative_import",
    ReturnStatement = "return_statement",
    Set = "set",
    SetComprehension = "set_comprehension",
    Slice = "slice",
    SplatPattern = "splat_pattern",
    SplatType = "splat_type",
    String = "string",
    StringContent = "string_content",
    Subscript = "subscript",
    True = "true",
    TryStatement = "try_statement",
    Tuple = "tuple",
    TuplePattern = "tuple_pattern",
    Type = "type",
    TypeAliasStatement = "type_alias_statement",
    TypeParameter = "type_parameter",
    TypedDefaultParameter = "typed_default_parameter",
    TypedParameter = "typed_parameter",
    UnaryOperator = "unary_operator",
    UnionPattern = "union_pattern",
    UnionType = "union_type",
    WhileStatement = "while_statement",
    WildcardImport = "wildcard_import",
    WithClause = "with_clause",
    WithItem = "with_item",
    WithStatement = "with_statement",
    Yield = "yield",
}

fields! {
    alias = "alias",
    alternative = "alternative",
    arguments = "arguments",
    attribute = "attribute",
    body = "body",
    cause = "cause",
    condition = "condition",
    consequence = "consequence",
    definition = "definition",
    function = "function",
    left = "left",
    module_name = "module_name",
    name = "name",
    object = "object",
    operator = "operator",
    parameters = "parameters",
    return_type = "return_type",
    right = "right",
    subscript = "subscript",
    superclasses = "superclasses",
    type_node = "type",
    type_parameters = "type_parameters",
    value = "value",
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| kind_table(&tree_sitter_python::LANGUAGE.into()));

/// The ids of the grammar's fields.
pub(super) static FIELDS: LazyLock<Fields> = LazyLock::new(|| field_table(&tree_sitter_python::LANGUAGE.into()));

/// Returns the kind of a node.
pub(super) fn kind(node: Node<'_>) -> Kind {
    KINDS.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
}

/// Returns the named children except comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| kind(*child) != Kind::Comment).collect()
}

/// Returns the first named child that is not a comment.
pub(super) fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| kind(*child) != Kind::Comment)
}

/// Returns the child in a field.
pub(super) fn field(node: Node<'_>, field: u16) -> Option<Node<'_>> {
    node.child_by_field_id(field)
}

/// Returns the children in a field that may repeat.
pub(super) fn children_by_field(node: Node<'_>, field: u16) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let mut children = Vec::new();
    if cursor.goto_first_child() {
        loop {
            if cursor.field_id().is_some_and(|id| id.get() == field) && kind(cursor.node()) != Kind::Comment {
                children.push(cursor.node());
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    children
}
