//! The projects that the server answers about: those that it was started with, as one workspace, and others that requests
//! name by their paths, such as a second worktree of a repository.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::answer::ToolError;
use super::index_state::IndexState;
use super::job::Job;
use super::served::{Ready, ServedRepository, refusal};
use crate::engine::{Engine, Reader};
use crate::model::Request;
use crate::text::display::excerpt;
use crate::text::link::path_of_url;
use crate::workspace::Workspace;

/// Limit of the projects that requests add. The one that was added first is forgotten for the next one.
const MAX_OTHERS: usize = 8;

/// Sets the options of the engine of a project that a request names.
pub type Prepare = Box<dyn Fn(Engine) -> Engine + Send + Sync>;

/// All projects of a server.
pub struct Projects {
    /// The repositories of the start, without indexes.
    workspace: Mutex<Workspace>,
    served: Vec<Arc<ServedRepository>>,
    others: Mutex<Vec<Arc<ServedRepository>>>,
    consents: bool,
    /// `None` if requests can't add projects: a client on another machine names no folders of this one.
    prepare: Option<Prepare>,
}

/// A project, and the sentence that tells it from others of its name.
type Project = (Arc<ServedRepository>, Option<String>);

/// The projects that one request is about.
pub struct Selected<'a> {
    projects: &'a Projects,
    members: Vec<Arc<ServedRepository>>,
    /// A sentence that tells the project from others.
    note: Option<String>,
}

/// The indexes for one request.
pub enum Loaded {
    /// A workspace with the loaded indexes.
    Workspace(Box<Workspace>, IndexState),
    Cancelled,
}

impl Projects {
    /// Creates the projects of a server without reading their indexes. `prepare` is for those that requests name.
    pub fn new(workspace: Workspace, consents: bool, prepare: Option<Prepare>) -> Projects {
        let served = |engine: &Engine| Arc::new(ServedRepository::new(engine.clone(), consents));
        let served = workspace.members().iter().map(|member| served(member.engine())).collect();
        Projects { workspace: Mutex::new(workspace), served, others: Mutex::default(), consents, prepare }
    }

    /// Returns the projects of a request: the one that it names, or else that of its first absolute path, or else all
    /// that the server was started with.
    ///
    /// # Errors
    /// When there is no such project; the error lists those that there are.
    pub fn select(&self, project: Option<&str>, paths: &[&str]) -> Result<Selected<'_>, ToolError> {
        let absolute = paths.iter().find(|path| Path::new(path).is_absolute());
        let found = match (project, absolute) {
            (Some(name), _) => Some(self.named(name)?),
            (None, Some(path)) => self.around(Path::new(path_of(path)))?,
            (None, None) => None,
        };
        let Some((repository, note)) = found else {
            return Ok(Selected { projects: self, members: self.served.clone(), note: None });
        };
        Ok(Selected { projects: self, members: vec![repository], note })
    }

    /// Returns the names that begin with the path of a file or folder, or with that of a project: `/login` is a route.
    pub fn places<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        let all = self.all();
        let is_place = |name: &&&str| {
            let path = Path::new(path_of(name));
            path.is_absolute() && (path.exists() || all.iter().any(|known| path.starts_with(known.engine().root())))
        };
        names.iter().filter(is_place).copied().collect()
    }

    /// Returns every project, those of the start first.
    pub fn all(&self) -> Vec<Arc<ServedRepository>> {
        let others = self.others.lock();
        self.served.iter().chain(others.iter()).cloned().collect()
    }

    /// Returns the first project.
    ///
    /// # Errors
    /// When there is none.
    pub fn first(&self) -> Result<&Arc<ServedRepository>, ToolError> {
        self.served.first().ok_or_else(|| ToolError::new("the server has no project"))
    }

    /// Returns the project with a label, id, folder name, path or URL. `.` and `../other` are from the first project.
    fn named(&self, name: &str) -> Result<Project, ToolError> {
        let is_relative = matches!(Path::new(name).components().next(), Some(Component::CurDir | Component::ParentDir));
        let path = match is_relative {
            true => Some(self.first()?.engine().root().join(name).to_string_lossy().into_owned()),
            false => path_of_url(name),
        };
        let name = path.as_deref().unwrap_or(name);
        if Path::new(name).is_absolute() {
            if !Path::new(name).exists() {
                return Err(missing(Path::new(name)));
            }
            let found = self.around(Path::new(name))?;
            return found.ok_or_else(|| self.unknown(name));
        }
        let label = |index: usize| {
            let workspace = self.workspace.lock();
            workspace.members().get(index).map(|member| member.label().to_owned())
        };
        let is_named = |(index, repository): &(usize, Arc<ServedRepository>)| {
            let engine = repository.engine();
            let folder = engine.root().file_name().is_some_and(|folder| folder.to_string_lossy() == name);
            folder || engine.repository() == name || label(*index).is_some_and(|label| label == name)
        };
        let found: Vec<_> = self.all().into_iter().enumerate().filter(is_named).collect();
        match found.as_slice() {
            [(_, only)] => Ok((Arc::clone(only), self.note(only))),
            [] => Err(self.unknown(name)),
            several => {
                let places: Vec<String> = several.iter().map(|(_, repository)| place(&repository.engine())).collect();
                let (name, places) = (excerpt(name), places.join(", "));
                Err(ToolError::new(format!("`{name}` is several projects; name one by its path: {places}")))
            }
        }
    }

    /// Returns the project with the deepest root around a path, and adds it if there is none yet. A project is known by a path that
    /// exists no more, and not added for it.
    fn around(&self, path: &Path) -> Result<Option<Project>, ToolError> {
        let (wanted, path) = (path, existing(path));
        let all = self.all();
        let around = all.iter().filter(|repository| path.starts_with(repository.engine().root()));
        let known = around.max_by_key(|repository| repository.engine().root().components().count());
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(Path::new("/")) };
        if known.is_none() && !wanted.exists() {
            return Err(missing(wanted));
        }
        let Some(prepare) = self.prepare.as_ref().filter(|_| wanted.exists()) else {
            return Ok(known.map(|known| (Arc::clone(known), self.note(known))));
        };
        // A worktree or another checkout inside a project is a project of its own.
        let is_own = |engine: &Engine| known.is_none() || engine.root().join(".git").exists();
        let own = Engine::open(folder, None).ok().filter(is_own);
        let is_known = |engine: &Engine| known.is_some_and(|known| known.engine().root().starts_with(engine.root()));
        match (own, known) {
            (None, None) => Err(self.unknown(&path.to_string_lossy())),
            (None, Some(known)) => Ok(Some((Arc::clone(known), self.note(known)))),
            (Some(engine), Some(known)) if is_known(&engine) => Ok(Some((Arc::clone(known), self.note(known)))),
            (Some(engine), _) => {
                let engine = prepare(engine);
                // What is refused is no project, and not listed as one.
                if let Some(refusal) = refusal(&engine, self.consents).filter(|_| engine.reader().is_err()) {
                    return Err(refusal);
                }
                let added = Arc::new(ServedRepository::new(engine, self.consents));
                let mut others = self.others.lock();
                if others.len() >= MAX_OTHERS {
                    others.remove(0);
                }
                others.push(Arc::clone(&added));
                let note = self.note(&added);
                Ok(Some((added, note)))
            }
        }
    }

    /// Returns a sentence on which project an answer is about, if there are several.
    fn note(&self, repository: &ServedRepository) -> Option<String> {
        let root = repository.engine().root().to_owned();
        let is_only = matches!(self.served.as_slice(), [only] if only.engine().root() == root);
        (!is_only).then(|| format!("project {}", place(&repository.engine())))
    }

    fn unknown(&self, name: &str) -> ToolError {
        let places: Vec<String> = self.all().iter().map(|repository| place(&repository.engine())).collect();
        let (name, places) = (excerpt(name), places.join(", "));
        ToolError::new(format!("no project is called `{name}`; projects are {places}, or the path of a checkout"))
    }
}

impl Selected<'_> {
    /// Returns the repositories, each with what requests need of it.
    pub fn members(&self) -> &[Arc<ServedRepository>] {
        &self.members
    }

    /// Returns the indexes: current, or first looks for the request while the first ones are being built. Of several projects one that can't
    /// be used is a note.
    ///
    /// # Errors
    /// When no project can be used; the error has the next step.
    pub fn load(&self, request: &Request, job: &Job) -> Result<Loaded, ToolError> {
        let [only] = self.members.as_slice() else { return self.load_several(request, job) };
        let Ready::Loaded(ranker, mut state) = only.ready(request, job)? else { return Ok(Loaded::Cancelled) };
        let mut workspace = Workspace::single(only.engine());
        workspace.set_ranker(0, *ranker);
        if let Some(note) = &self.note {
            state.add_note(note);
        }
        Ok(Loaded::Workspace(Box::new(workspace), state))
    }

    fn load_several(&self, request: &Request, job: &Job) -> Result<Loaded, ToolError> {
        let (mut rankers, mut states, mut failure) = (Vec::new(), Vec::new(), None);
        for (position, repository) in self.members.iter().enumerate() {
            match repository.ready(request, job) {
                Ok(Ready::Cancelled) => return Ok(Loaded::Cancelled),
                Ok(Ready::Loaded(ranker, state)) => {
                    rankers.push((position, *ranker));
                    states.push((position, state));
                }
                Err(error) => {
                    states.push((position, IndexState::stale(&error.to_string())));
                    failure = Some(error);
                }
            }
        }
        if let (true, Some(error)) = (rankers.is_empty(), failure) {
            return Err(error);
        }
        let engines = self.members.iter().map(|repository| repository.engine());
        let template = self.projects.workspace.lock();
        let mut workspace = template.with_engines(engines);
        drop(template);
        let label = |position: usize| workspace.members().get(position).map_or("", |member| member.label()).to_owned();
        let state = IndexState::joined(states.into_iter().map(|(position, state)| (label(position), state)).collect());
        rankers.into_iter().for_each(|(position, ranker)| workspace.set_ranker(position, ranker));
        Ok(Loaded::Workspace(Box::new(workspace), state))
    }

    /// Keeps the indexes of a workspace loaded for the next request, and the edges between them.
    pub fn put_back(&self, mut workspace: Workspace) {
        if self.members.len() > 1 {
            self.projects.workspace.lock().keep_cross_edges(&workspace);
        }
        for (position, repository) in self.members.iter().enumerate() {
            if let Some(ranker) = workspace.take_ranker(position) {
                repository.put_back(ranker);
            }
        }
    }
}

/// Returns each loaded reader of a workspace.
pub fn readers(workspace: &Workspace) -> impl Iterator<Item = &Reader> {
    workspace.members().iter().filter_map(|member| Some(member.ranker()?.reader()))
}

/// Returns the root of a project and its branch, by which worktrees differ.
fn place(engine: &Engine) -> String {
    let root = engine.root().display();
    engine.branch().map_or_else(|| root.to_string(), |branch| format!("{root} ({branch})"))
}

/// Returns the path of a location such as `/src/app.py:120` or `/src/app.py#L120`.
fn path_of(location: &str) -> &str {
    let path = location.split_once(':').map_or(location, |(path, _)| path);
    path.split_once("#L").map_or(path, |(path, _)| path)
}

fn missing(path: &Path) -> ToolError {
    ToolError::new(format!("{} does not exist", excerpt(&path.to_string_lossy())))
}

/// Returns a path, or the nearest folder around it that exists, without links.
fn existing(path: &Path) -> PathBuf {
    path.ancestors().find_map(|folder| folder.canonicalize().ok()).unwrap_or_else(|| path.to_owned())
}
