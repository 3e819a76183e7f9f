//! Views of Embedded Ruby: the code between `<%` and `%>`, and what views of Rails have without naming it.

use super::NAME;
use super::routes::capitalized;
use crate::facts::name_key;
use crate::lang::common::embedded;
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{SymbolRef, Value};

/// Endings of the names of views that are written in Ruby.
const ENDINGS: [&str; 3] = [".builder", ".erb", ".jbuilder"];

/// Returns the text of a view with blanks instead of everything but its code, byte for byte; `None` for any other file.
pub fn masked(path: &str, text: &str) -> Option<String> {
    if !path.ends_with(".erb") {
        return None;
    }
    embedded::code(text)
}

/// Returns the names of the class whose instance variables a view has: a controller or a mailer.
pub fn class_of_view(path: &str) -> Option<Vec<String>> {
    let folder = folder_of_view(path)?;
    let names = folder.split('/').map(|segment| segment.split('_').map(capitalized).collect::<String>());
    let mut names: Vec<String> = names.collect();
    let last = names.last_mut()?;
    if folder == "layouts" {
        *last = "Application".to_owned();
    }
    if !last.ends_with("Mailer") {
        last.push_str("Controller");
    }
    Some(names)
}

/// Returns the folder of a view below `app/views`.
fn folder_of_view(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    let at = folder.find("app/views/").filter(|_| ENDINGS.iter().any(|ending| path.ends_with(ending)))?;
    Some(&folder[at + "app/views/".len()..])
}

/// Returns the method that a name without a receiver means in a view: that of the only helper with the name, or of the
/// controller of the view.
pub fn helper(eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Option<Value> {
    let world = eval.world;
    let path = world.files[file.index()].path;
    let class = class_of_view(path)?;
    let key = name_key(name);
    eval.record_lookup(key);
    let root = &path[..path.find("app/views/")?];
    let is_helper = |symbol: &&SymbolRef| {
        let file = world.files[symbol.file.index()].path;
        file.strip_prefix(root).is_some_and(|file| file.starts_with("app/helpers/"))
            && world.definition(**symbol).kind.is_callable()
    };
    let mut helpers = world.named(NAME, key).iter().filter(is_helper);
    if let Some(first) = helpers.next() {
        return helpers.next().is_none().then(|| Value::symbol(*first));
    }
    let mut value =
        eval.own_rules().root(eval, crate::resolve::rules::UseSite { file, scope: crate::facts::ScopeId(0) }, "::");
    for name in &class {
        value = eval.member_denoted(&value, name);
    }
    let instance = eval.instantiate(&value, Vec::new());
    let member = eval.members(&instance, name).into_iter().next()?;
    Some(Value::symbol(member.symbol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::tests::edges;

    #[test]
    fn code_keeps_its_place_in_a_view() {
        let view = "<p class=\"é\"><%= go(1) -%></p>\n<%# no %><%% no %>\n<% if a %>b<% else # c %><% end %>";
        let text = masked("a.html.erb", view).unwrap();
        assert_eq!(text.len(), view.len());
        assert_eq!(text.find("go(1)"), view.find("go(1)"));
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), "go(1) ; if a ; else ; end ;");
        assert_eq!(masked("a.rb", view), None);
    }

    #[test]
    fn views_use_helpers_partials_and_what_their_controller_has() {
        let view = "<% @hats.each do |hat| %>\n<%= Marker.to_html(hat) %><%= badge_for(hat) %>\n\
            <%= render 'row', hat: hat %><%= render partial: \"shared/foot\" %><%= user_name %>\n<% end %>";
        let sources = [
            ("app/models/marker.rb", "class Marker\n def self.to_html(x); end\nend"),
            ("app/helpers/hats_helper.rb", "module HatsHelper\n def badge_for(h); end\nend"),
            ("app/controllers/base_controller.rb", "class BaseController\n def user_name; end\nend"),
            (
                "app/controllers/hats_controller.rb",
                "class HatsController < BaseController\n def index; @hats = []; end\n def edit; render :form; end\nend",
            ),
            ("app/views/hats/index.html.erb", view),
            ("app/views/hats/_row.html.erb", "<%= @hats.size %>"),
            ("app/views/hats/form.html.erb", "<% 1 %>"),
            ("app/views/shared/_foot.html.erb", "<% 1 %>"),
        ];
        let of = |file: &str| {
            let own = edges(&sources).into_iter().filter(|edge| edge.source == file);
            own.map(|edge| format!("{} {}", edge.edge_type, edge.target)).collect::<Vec<_>>()
        };
        let mut index = of("app/views/hats/index.html.erb");
        index.sort();
        let expected = [
            "accesses_field HatsController.@hats",
            "calls BaseController.user_name",
            "calls HatsHelper.badge_for",
            "calls Marker.to_html",
            "references Marker",
            "references app/views/hats/_row.html.erb",
            "references app/views/shared/_foot.html.erb",
        ];
        assert_eq!(index, expected);
        assert_eq!(of("app/views/hats/_row.html.erb"), ["accesses_field HatsController.@hats"]);
        assert_eq!(of("HatsController.edit"), ["references app/views/hats/form.html.erb"]);
    }
}
