//! Node kinds and fields of the grammar as integers, which are cheaper to compare than strings.

use std::sync::LazyLock;

macro_rules! kinds {
    ($($variant:ident $name:literal)*) => {
        /// A node kind that extraction handles; all others are [`Kind::Other`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { Other, $($variant),* }

        fn kind_named(name: &str) -> Kind {
            match name { $($name => Kind::$variant,)* _ => Kind::Other }
        }
    };
}

kinds! {
    AbstractType "abstract_type" Array "array_expression" ArrayType "array_type" Assignment "assignment_expression"
    AssociatedType "associated_type" AsyncBlock "async_block" AttributeItem "attribute_item" Await "await_expression"
    Binary "binary_expression" Block "block" BlockComment "block_comment" Boolean "boolean_literal"
    BoundedType "bounded_type" BracketedType "bracketed_type" Break "break_expression" Call "call_expression"
    CapturedPattern "captured_pattern" Char "char_literal" Closure "closure_expression"
    CompoundAssignment "compound_assignment_expr" ConstBlock "const_block" ConstItem "const_item" Crate "crate"
    DynamicType "dynamic_type" ElseClause "else_clause" EnumItem "enum_item" EnumVariant "enum_variant"
    ExpressionStatement "expression_statement" ExternCrate "extern_crate_declaration" FieldDeclaration "field_declaration"
    FieldDeclarationList "field_declaration_list" Field "field_expression" FieldIdentifier "field_identifier"
    FieldInitializer "field_initializer" FieldPattern "field_pattern" Float "float_literal" For "for_expression"
    ForeignMod "foreign_mod_item" FunctionItem "function_item" FunctionModifiers "function_modifiers"
    FunctionSignature "function_signature_item" FunctionType "function_type" GenericFunction "generic_function"
    GenericPattern "generic_pattern" GenericType "generic_type" GenericTurbofish "generic_type_with_turbofish"
    HigherRanked "higher_ranked_trait_bound" Identifier "identifier" If "if_expression" ImplItem "impl_item"
    Index "index_expression" InnerAttribute "inner_attribute_item" Integer "integer_literal" LetChain "let_chain"
    LetCondition "let_condition" Let "let_declaration" Lifetime "lifetime" LineComment "line_comment"
    Loop "loop_expression" MacroDefinition "macro_definition" Macro "macro_invocation" MatchArm "match_arm"
    Match "match_expression" MatchPattern "match_pattern" ModItem "mod_item" MutPattern "mut_pattern"
    MutableSpecifier "mutable_specifier" OrPattern "or_pattern" OrderedFieldList "ordered_field_declaration_list"
    Parameter "parameter" Parenthesized "parenthesized_expression" PointerType "pointer_type"
    PrimitiveType "primitive_type" QualifiedType "qualified_type" Range "range_expression" RangePattern "range_pattern"
    RawString "raw_string_literal" RefPattern "ref_pattern" Reference "reference_expression"
    ReferencePattern "reference_pattern" ReferenceType "reference_type" RemainingField "remaining_field_pattern"
    Return "return_expression" ScopedIdentifier "scoped_identifier" ScopedTypeIdentifier "scoped_type_identifier"
    ScopedUseList "scoped_use_list" SelfValue "self" SelfParameter "self_parameter"
    ShorthandField "shorthand_field_initializer" ShorthandPattern "shorthand_field_identifier"
    SlicePattern "slice_pattern" StaticItem "static_item" String "string_literal" StructExpression "struct_expression"
    StructItem "struct_item" StructPattern "struct_pattern" Super "super" TraitBounds "trait_bounds"
    TraitItem "trait_item" TryBlock "try_block" Try "try_expression" Tuple "tuple_expression"
    TuplePattern "tuple_pattern" TupleStructPattern "tuple_struct_pattern" TupleType "tuple_type"
    TypeBinding "type_binding" TypeCast "type_cast_expression" TypeIdentifier "type_identifier" TypeItem "type_item"
    TypeParameter "type_parameter" Unary "unary_expression" UnionItem "union_item" Unit "unit_expression"
    UnitType "unit_type" UnsafeBlock "unsafe_block" UseAs "use_as_clause" Use "use_declaration" UseList "use_list"
    UseWildcard "use_wildcard" VisibilityModifier "visibility_modifier" WhereClause "where_clause"
    While "while_expression"
}

macro_rules! fields {
    ($($field:ident $name:literal)*) => {
        /// Ids of the grammar's fields.
        pub struct Fields { $(pub $field: u16),* }

        fn fields(language: &tree_sitter::Language) -> Fields {
            // Id 0 is never used by the grammar, so an unknown field is never found.
            Fields { $($field: language.field_id_for_name($name).map_or(0, |id| id.get())),* }
        }
    };
}

fields! {
    alias "alias" alternative "alternative" arguments "arguments" body "body" bounds "bounds" condition "condition"
    consequence "consequence" default_type "default_type" element "element" field "field" function "function"
    left "left" list "list" macro_name "macro" name "name" parameters "parameters" path "path" pattern "pattern"
    return_type "return_type" right "right" trait_name "trait" type_node "type" type_arguments "type_arguments"
    type_parameters "type_parameters" value "value"
}

/// Tables that translate the grammar's ids.
pub struct Grammar {
    kinds: Vec<Kind>,
    pub fields: Fields,
}

impl Grammar {
    /// Returns the kind of a node.
    pub fn kind(&self, node: tree_sitter::Node<'_>) -> Kind {
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
    }
}

/// The tables, computed once.
pub static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let language: tree_sitter::Language = tree_sitter_rust::LANGUAGE.into();
    let kinds = (0..language.node_kind_count())
        .map(|id| match language.node_kind_is_named(id as u16) {
            true => language.node_kind_for_id(id as u16).map_or(Kind::Other, kind_named),
            false => Kind::Other,
        })
        .collect();
    Grammar { kinds, fields: fields(&language) }
});

/// Returns the kind of a node.
pub fn kind(node: tree_sitter::Node<'_>) -> Kind {
    GRAMMAR.kind(node)
}
