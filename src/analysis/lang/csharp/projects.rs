//! Projects: the files below a project file, and the names that all of them have by `global using` and by the `Using`
//! elements of the project file. Files outside of all projects are one project.

use std::collections::HashMap;
use std::sync::Arc;

use super::manifests::{self, Using};
use super::{NAME, rules};
use crate::facts::{ImportName, NameKey, Outline, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileIndex, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::value::Value;
use crate::text::parent_dir;

/// The projects of a repository.
#[derive(Default)]
pub struct Projects {
    projects: Vec<Project>,
    by_folder: HashMap<String, usize>,
    by_file: HashMap<FileIndex, usize>,
}

/// A project, and what its files have in scope without a directive of their own.
struct Project {
    /// The module whose parts are the global directives of the files.
    directives: ModuleId,
    /// The namespaces of the project file, and the types whose static members are in scope, by their paths.
    paths: Vec<String>,
    /// Other names of types, with the paths of these.
    aliases: HashMap<String, String>,
    /// The key under which the values of the paths are kept.
    key: NameKey,
}

impl Projects {
    /// Returns the projects of these project files, and the one of all other files.
    pub fn new(manifests: &[Manifest], modules: &mut Modules) -> Projects {
        let mut projects = Projects::default();
        projects.add_folder("", modules);
        for manifest in manifests.iter().filter(|manifest| manifest.path.ends_with(".csproj")) {
            let number = projects.add_folder(parent_dir(&manifest.path), modules);
            let project = &mut projects.projects[number];
            for using in manifests::usings(&manifest.text) {
                match using {
                    Using { path, alias: Some(alias) } => _ = project.aliases.insert(alias.to_owned(), path.to_owned()),
                    Using { path, alias: None } => project.paths.push(path.to_owned()),
                }
            }
        }
        projects
    }

    /// Adds the project of a folder. Returns its number.
    fn add_folder(&mut self, folder: &str, modules: &mut Modules) -> usize {
        if let Some(&known) = self.by_folder.get(folder) {
            return known;
        }
        // No namespace has a space.
        let path = format!("project {folder}");
        let directives = modules.add(NAME, &path, None);
        let number = self.projects.len();
        let (paths, aliases) = (Vec::new(), HashMap::new());
        self.projects.push(Project { directives, paths, aliases, key: name_key(&path) });
        self.by_folder.insert(folder.to_owned(), number);
        number
    }

    /// Adds a file to the project in the nearest folder around it, and its global using directives to those of the project.
    pub fn add_file(&mut self, file: FileIndex, path: &str, outline: &Outline, modules: &mut Modules) {
        let mut folder = parent_dir(path);
        let number = loop {
            match self.by_folder.get(folder) {
                Some(number) => break *number,
                None => folder = parent_dir(folder),
            }
        };
        self.by_file.insert(file, number);
        let project = &mut self.projects[number];
        let mut global = outline.imports.iter().filter(|import| import.reexport).peekable();
        if let Some(first) = global.peek() {
            modules.add_block(project.directives, file, first.scope);
        }
        for import in global {
            if let (ImportName::All, [outer, name]) = (import.name, &import.path[..]) {
                let [outer, name] = [outer, name].map(|part| outline.names.get(*part));
                project.paths.push(format!("{outer}.{name}"));
            }
        }
    }

    /// Returns the project of a file.
    fn of_file(modules: &Modules, file: FileIndex) -> Option<&Project> {
        let projects = modules.state::<Projects>(STATE)?;
        projects.projects.get(*projects.by_file.get(&file)?)
    }
}

/// The name under which the projects are kept beside the modules.
pub const STATE: &str = "csharp projects";

/// Returns the modules and types whose names a file has in scope by its project.
pub fn imports(eval: &mut Evaluator<'_>, file: FileIndex) -> Option<Arc<Vec<Value>>> {
    let world = eval.world;
    let project = Projects::of_file(&world.modules, file)?;
    Some(eval.memoized(project.key, |eval| {
        let namespace = |path: &str| world.modules.find(NAME, path).map(Value::Module);
        let mut values = vec![Value::Module(project.directives)];
        for path in &project.paths {
            values.push(namespace(path).unwrap_or_else(|| rules::type_of_path(eval, path)));
        }
        values
    }))
}

/// Returns the type that a project calls by another name.
pub fn alias(eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Option<Value> {
    let path = Projects::of_file(&eval.world.modules, file)?.aliases.get(name)?;
    Some(rules::type_of_path(eval, path))
}
