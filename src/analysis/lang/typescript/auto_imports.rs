//! Names that Nuxt imports by itself: what `composables` and `utils` export, and components.

use std::collections::HashMap;

use super::module_resolution::ModuleResolver;
use super::rules::LANGUAGE;
use super::templates::capitalized;
use crate::facts::{BindingKind, NameKey, name_key};
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::FileInput;
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::value::Value;

/// Folders, in a project or in its `app`, whose exports are names of all its files.
const SHARED_FOLDERS: [&str; 4] = ["composables", "utils", "shared/utils", "server/utils"];

/// Folders in which the files of a project are.
const SOURCE_FOLDERS: [&str; 3] = ["", "app/", "src/"];

/// The packages that depend on Nuxt, and their components.
#[derive(Debug, Default)]
pub struct AutoImports {
    /// Folders of the packages, each with a slash at its end.
    roots: Vec<String>,
    /// Components by the index of their root, and their name. `None` if several have it.
    components: HashMap<(usize, NameKey), Option<ModuleId>>,
}

impl AutoImports {
    /// Collects the components of the packages that depend on Nuxt.
    pub fn new(files: &[(FileIndex, FileInput<'_>)], resolver: &ModuleResolver, modules: &Modules) -> AutoImports {
        let folders = resolver.folders_with("nuxt").into_iter();
        let roots =
            folders.map(|folder| if folder.is_empty() { String::new() } else { format!("{folder}/") }).collect();
        let mut found = AutoImports { roots, components: HashMap::new() };
        if found.roots.is_empty() {
            return found;
        }
        for (_, file) in files {
            let Some((root, path)) = found.within(file.path) else { continue };
            let Some(name) = in_folder(path, "components").and_then(|path| path.strip_suffix(".vue")) else { continue };
            let Some(module) = modules.find(LANGUAGE, file.path) else { continue };
            for name in component_names(name) {
                let known = found.components.entry((root, name_key(&name))).or_insert(Some(module));
                *known = known.filter(|known| *known == module);
            }
        }
        found
    }

    /// Returns the root around a file, innermost first, and the path in it.
    fn within<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let fitting =
            self.roots.iter().enumerate().filter_map(|(number, root)| Some((number, path.strip_prefix(&**root)?)));
        fitting.min_by_key(|(_, path)| path.len())
    }

    /// Returns the component or the export of a shared folder that a name means in a file, unless several have the name.
    pub fn resolve(&self, eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Option<Value> {
        let world = eval.world;
        let (root, _) = self.within(world.files[file.index()].path)?;
        let plain = name.strip_prefix("Lazy").filter(|plain| !plain.is_empty()).unwrap_or(name);
        for name in [name, plain] {
            if let Some(Some(module)) = self.components.get(&(root, name_key(name))) {
                return Some(Value::Module(*module));
            }
        }
        let key = name_key(name);
        eval.record_lookup(key);
        let is_shared = |module: &ModuleId| {
            let path = &world.modules.get(*module).path;
            let is_defined = world.modules.bindings(*module, key).iter().any(|&(file, index)| {
                matches!(world.outline(file).bindings[index as usize].kind, BindingKind::Definition(_))
            });
            let within = self.within(path).filter(|(known, _)| *known == root);
            is_defined
                && within.is_some_and(|(_, path)| SHARED_FOLDERS.iter().any(|folder| in_folder(path, folder).is_some()))
        };
        let mut shared = world.modules.binding_modules(key).iter().filter(|module| is_shared(module));
        let module = *shared.next()?;
        if shared.next().is_some() {
            return None;
        }
        Some(eval.module_member(module, name)).filter(|value| !value.is_unknown())
    }
}

/// Returns the path of a file in a folder of a project.
fn in_folder<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    SOURCE_FOLDERS.iter().find_map(|source| path.strip_prefix(source)?.strip_prefix(folder)?.strip_prefix('/'))
}

/// Returns the names of a component by its path: with those of its folders, which a name that begins with them leaves
/// out; and its own.
fn component_names(path: &str) -> Vec<String> {
    let path = path.strip_suffix("/index").unwrap_or(path);
    let segments: Vec<String> =
        path.split('/').map(|segment| capitalized(segment.split('.').next().unwrap_or(segment))).collect();
    let Some((own, folders)) = segments.split_last() else { return Vec::new() };
    let before = folders.concat();
    let full = if own.starts_with(&before) { own.clone() } else { format!("{before}{own}") };
    if full == *own { vec![full] } else { vec![full, own.clone()] }
}

#[cfg(test)]
mod tests {
    use super::component_names;
    use crate::resolve::tests::edges_from;

    #[test]
    fn components_are_named_by_their_folders() {
        assert_eq!(component_names("NavBar"), ["NavBar"]);
        assert_eq!(component_names("account/AccountCard"), ["AccountCard"]);
        assert_eq!(component_names("base/foo/button"), ["BaseFooButton", "Button"]);
    }

    #[test]
    fn nuxt_imports_composables_utils_and_components_by_itself() {
        let page = "<script setup lang=\"ts\">\nimport { useShop } from '~/composables/shop'\n\
            import { useCart } from '#imports'\nconst cart = useCart()\n\
            function go() { return shortName('x') + useShop() + useCart() + hidden() }\n</script>\n\
            <template><NavBar/><LazyNavBar/></template>";
        let mut sources = [
            ("package.json", "{\"name\": \"a\", \"dependencies\": {\"nuxt\": \"^4\"}}"),
            ("app/composables/cart.ts", "export function useCart() { return 1 }"),
            ("app/composables/shop.ts", "export const useShop = () => 2"),
            ("app/utils/text.ts", "export function shortName(s: string) { return s }"),
            ("app/pages/hidden.ts", "export function hidden() {}"),
            ("app/components/NavBar.vue", "<template><i/></template>"),
            ("app/pages/index.vue", page),
        ];
        assert_eq!(edges_from(&sources, "go"), ["calls shortName", "calls useCart", "calls useShop"]);
        let uses = |sources: &[(&str, &str)]| {
            crate::resolve::tests::edges(sources).iter().any(|edge| edge.target == "app/components/NavBar.vue")
        };
        assert!(uses(&sources));
        // Without Nuxt, a name that is not imported means nothing.
        sources[0].1 = "{\"name\": \"a\"}";
        assert_eq!(edges_from(&sources, "go"), ["calls useShop"]);
        assert!(!uses(&sources));
    }
}
