//! Tables of a schema of Active Record, whose columns are attributes of models.

use tree_sitter::Node;

use super::calls::{Parts, literal};
use super::hooks::member;
use super::{GLOBAL, NAME};
use crate::facts::{BindingKind, Container, ScopeId, ScopeKind};
use crate::lang::common::walker::Walker;
use crate::lang::queries::TABLE;
use crate::model::SymbolKind;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Calls in the block of a table that add no column.
const NO_COLUMNS: &[&str] =
    &["check_constraint", "exclusion_constraint", "foreign_key", "index", "timestamps", "unique_constraint"];

/// Adds the table of `create_table "users" do |t| … end`, with a field for each column. Returns `None` without a name or
/// a block.
pub fn table<'a>(walker: &mut Walker<'a>, parts: Parts<'a>, arguments: &[Node<'a>]) -> Option<()> {
    let (first, block) = (*arguments.first()?, parts.block?);
    let name = literal(walker, first).filter(|name| !name.is_empty())?;
    let mut definition = walker.new_definition(name, SymbolKind::Type, parts.node, first);
    let head = walker.text.get(parts.node.start_byte()..block.start_byte()).unwrap_or_default();
    definition.signature = head.split_whitespace().collect::<Vec<_>>().join(" ");
    definition.scope = walker.open_scope(ScopeKind::Block, None);
    let table = walker.define(definition, Some(block.start_byte()));
    // By this name models find it, whatever block it is in.
    let bound = walker.facts.atom(&binding(name));
    walker.facts.bind(ScopeId(0), bound, parts.node.start_byte() as u32, BindingKind::Definition(table));
    let header = walker.facts.definition(table).scope;
    let saved = walker.enter(table, header, Container::Definition(table));
    let body = walker.field(block, "body");
    for call in body.map_or(Vec::new(), |body| walker.children(body)) {
        let (Some(method), Some(list)) = (walker.field(call, "method"), walker.field(call, "arguments")) else {
            continue;
        };
        let kind = walker.text_of(method);
        if NO_COLUMNS.contains(&kind) {
            continue;
        }
        // `t.column "name", "type"` has the type second.
        let named = if kind == "column" { 1 } else { usize::MAX };
        for argument in walker.children(list).into_iter().take(named) {
            let Some(name) = literal(walker, argument).filter(|name| !name.is_empty()) else { continue };
            let is_key = matches!(kind, "belongs_to" | "references");
            let name = if is_key { format!("{name}_id") } else { name.to_owned() };
            let definition = walker.new_definition(&name, SymbolKind::Field, call, argument);
            member(walker, table, definition);
        }
    }
    walker.leave(saved);
    Some(())
}

/// Returns the name to which a table is bound.
fn binding(table: &str) -> String {
    format!("{TABLE} {table}")
}

/// Returns the column that an attribute of a record is.
pub fn column(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let Value::Instance { symbol: model, .. } = receiver else { return None };
    let is_record = eval.ancestors(receiver).iter().any(|base| match base {
        Value::ExternalInstance { name, .. } => name.starts_with("ActiveRecord") || &**name == "ApplicationRecord",
        _ => false,
    });
    if !is_record {
        return None;
    }
    let table = binding(&cruet::to_table_case(eval.world.name(*model)));
    let global = eval.world.modules.find(NAME, GLOBAL)?;
    let Value::Symbol { symbol, .. } = eval.module_member(global, &table) else { return None };
    let own = eval.own_instance(symbol);
    let column = name.trim_end_matches(['=', '?']);
    eval.members(&own, column).into_iter().next().map(|member| Value::symbol(member.symbol))
}

#[cfg(test)]
mod tests {
    use crate::lang::testing::outline;
    use crate::resolve::tests::edges_from;

    const SCHEMA: &str = r#"ActiveRecord::Schema[8.0].define(version: 1) do
  create_table "line_items", force: :cascade do |t|
    t.string "label", default: "", null: false
    t.references :order
    t.column "weight", "decimal"
    t.integer :width, :height
    t.index ["label"], name: "by_label"
    t.timestamps
  end
end
"#;

    #[test]
    fn a_table_of_a_schema_has_its_columns() {
        let expected = [
            "type line_items: create_table \"line_items\", force: :cascade",
            "field line_items.label: t.string \"label\", default: \"\", null: false",
            "field line_items.order_id: t.references :order",
            "field line_items.weight: t.column \"weight\", \"decimal\"",
            "field line_items.width: t.integer :width, :height",
            "field line_items.height: t.integer :width, :height",
        ];
        assert_eq!(outline("db/schema.rb", SCHEMA), expected);
        assert!(
            outline("db/schema.rb", "create_table name do |t|\n  t.string \"a\"\nend\ncreate_table \"x\"\n").is_empty()
        );
    }

    #[test]
    fn attributes_of_a_model_are_columns_of_its_table() {
        let models = "class ApplicationRecord < ActiveRecord::Base\nend
class LineItem < ApplicationRecord
  def title = label
  def grow(other) = self.width = height
end
class Plain
  def title = label
end
";
        let sources = [("db/schema.rb", SCHEMA), ("app/models/line_item.rb", models)];
        assert_eq!(edges_from(&sources, "LineItem.title"), ["accesses_field line_items.label"]);
        assert!(edges_from(&sources, "Plain.title").is_empty());
    }
}
