//! The protocol's requests, mapped to the tools and resources. Work that blocks runs on threads of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinHandle, spawn_blocking};

use super::answer::{ToolAnswer, ToolError, result};
use super::arguments::{Arguments, invalid_subject};
use super::job::{Job, ProgressReport};
use super::log::Log;
use super::projects::Projects;
use super::served::{Ready, ServedRepository};
use super::sessions::{RequestKey, Sessions, session};
use super::tools::{CONTEXT, INSTRUCTIONS, SYMBOL, tools};
use super::{context, resources, symbol};
use crate::exchange::{Client, Outcome, RequestJournal, RequestRecord, RequestSource};
use crate::model::Request;

/// Limit of the requests that are computed at once. The others wait in the order of their arrival.
const MAX_JOBS: usize = 2;

/// The server of one project or several. Clones share everything.
#[derive(Clone)]
pub struct Server {
    projects: Arc<Projects>,
    sessions: Sessions,
    permits: Arc<Semaphore>,
    /// The text of the last pack.
    last_pack: Arc<Mutex<Option<String>>>,
    has_journal: bool,
    /// Whether answers have no structured content.
    text_only: bool,
    log: Log,
}

impl Server {
    /// Creates the server of projects.
    pub fn new(projects: Projects, text_only: bool, has_journal: bool, log: Log) -> Server {
        Server {
            projects: Arc::new(projects),
            sessions: Sessions::default(),
            permits: Arc::new(Semaphore::new(MAX_JOBS)),
            last_pack: Arc::default(),
            has_journal,
            text_only,
            log,
        }
    }

    /// Computes the answer of a tool on a thread of its own, and records the request.
    async fn call(
        self,
        arguments: Result<Arguments, ToolError>,
        record: RequestRecord,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let cancelled = Arc::new(AtomicBool::new(false));
        let (sender, reports) = unbounded_channel();
        let token = context.meta.get_progress_token();
        let job = Job::new(Arc::clone(&cancelled), token.is_some().then_some(sender));
        let permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_owned() => permit.ok(),
            () = context.ct.cancelled() => None,
        };
        let (text_only, session) = (self.text_only, session(context));
        let server = self.clone();
        let work = spawn_blocking(move || {
            let started = Instant::now();
            let answer = match &permit {
                Some(_) => server.compute(&arguments, session.as_deref(), &job),
                None => Err(ToolError::cancelled()),
            };
            server.record(record, arguments.as_ref().ok(), &answer, started);
            server.watch_edits(&answer);
            answer
        });
        let work = follow(work, reports, token, &context.peer);
        tokio::pin!(work);
        let ended = tokio::select! {
            ended = &mut work => ended,
            () = context.ct.cancelled() => {
                cancelled.store(true, Ordering::Relaxed);
                work.await
            }
        };
        result(ended, text_only)
    }

    fn compute(
        &self,
        arguments: &Result<Arguments, ToolError>,
        session: Option<&str>,
        job: &Job,
    ) -> Result<ToolAnswer, ToolError> {
        let arguments = match arguments {
            Err(error) => return Err(error.clone()),
            Ok(Arguments::Symbol(arguments)) => {
                let names: Vec<&str> = arguments.symbols.iter().map(String::as_str).collect();
                let selected = self.projects.select(arguments.project.as_deref(), &self.projects.places(&names))?;
                return symbol::answer(&selected, arguments, job);
            }
            Ok(Arguments::Context(arguments)) => arguments,
        };
        let files: Vec<&str> = match &arguments.request {
            Request::Files(files) => files.iter().map(String::as_str).collect(),
            Request::Task(_) | Request::PullRequest(_) => Vec::new(),
        };
        let selected = self.projects.select(arguments.project.as_deref(), &files)?;
        let key = RequestKey::new(session, arguments);
        let seen = self.sessions.seen(key.as_ref(), arguments);
        let answer = context::answer(&selected, arguments, seen, job, self.log)?;
        if !job.is_cancelled() {
            self.sessions.record(key, arguments, &answer.sent);
        }
        if let Some(pack) = &answer.whole_pack {
            *self.last_pack.lock() = Some(pack.clone());
        }
        Ok(answer)
    }

    /// Records what was edited of earlier packs, and watches the pack of this answer.
    fn watch_edits(&self, answer: &Result<ToolAnswer, ToolError>) {
        let Ok(answer) = answer else { return };
        if !self.has_journal {
            return;
        }
        self.projects.all().iter().for_each(|repository| self.record_edits(repository));
        for (repository, pack) in &answer.delivered {
            repository.edits().watch(pack.clone());
        }
    }

    /// Records what was edited since. A journal of feedback that can't be written does not prevent an answer.
    fn record_edits(&self, repository: &ServedRepository) {
        if !repository.edits().is_watching() {
            return;
        }
        let recorded = repository.with_reader(|engine, reader| repository.edits().record(engine, reader));
        match recorded {
            Ok(0) => {}
            Ok(count) => self.log.write(&format!("{count} symbols of earlier packs were edited")),
            Err(error) => self.log.write(&error.to_string()),
        }
    }

    /// Records what was edited after the last request. The client is gone by then.
    pub fn end(&self) {
        let job = Job::new(Arc::default(), None);
        let watched = self.projects.all().into_iter().filter(|repository| repository.edits().is_watching());
        for repository in watched.filter(|_| self.has_journal) {
            // The report of a change can still be on its way.
            repository.expect_changes();
            if let Ok(Ready::Loaded(ranker, _)) = repository.ready(&Request::Files(Vec::new()), &job) {
                repository.put_back(*ranker);
                self.record_edits(&repository);
            }
        }
    }

    /// Returns the project in whose journal a request is recorded: the one that it is about, or else the first.
    fn recorded_in(&self, arguments: Option<&Arguments>) -> Option<Arc<ServedRepository>> {
        let selected = self.projects.select(arguments.and_then(Arguments::project), &[]).ok();
        let first = selected.and_then(|selected| selected.members().first().cloned());
        first.or_else(|| self.projects.first().ok().cloned())
    }

    /// Appends the request to the journal. A journal that can't be written does not prevent an answer.
    fn record(
        &self,
        record: RequestRecord,
        arguments: Option<&Arguments>,
        answer: &Result<ToolAnswer, ToolError>,
        started: Instant,
    ) {
        let outcome = match answer {
            Ok(answer) => answer.outcome,
            Err(error) if error.is_cancelled => Outcome::Canceled,
            Err(_) => Outcome::Failed,
        };
        self.log.write(&format!("{} {outcome:?} in {} ms", record.operation, started.elapsed().as_millis()));
        let repository = self.recorded_in(arguments).filter(|repository| repository.present().is_ok());
        let Some(repository) = repository.filter(|_| self.has_journal) else { return };
        let record =
            RequestRecord { outcome, options: arguments.map(Arguments::options).unwrap_or_default(), ..record };
        let duration_ms = crate::exchange::now_ms().saturating_sub(record.at_ms);
        let record = match answer.clone() {
            Ok(ToolAnswer { index, pack, message, .. }) => {
                RequestRecord { index, pack, message, duration_ms, ..record }
            }
            Err(error) => RequestRecord { message: Some(error.to_string()), duration_ms, ..record },
        };
        if let Err(error) = RequestJournal::new(repository.exchange()).append(record) {
            self.log.write(&error.to_string());
        }
    }
}

/// Waits for work, and forwards its progress to the client.
async fn follow(
    mut work: JoinHandle<Result<ToolAnswer, ToolError>>,
    mut reports: UnboundedReceiver<ProgressReport>,
    token: Option<ProgressToken>,
    peer: &Peer<RoleServer>,
) -> Result<ToolAnswer, ToolError> {
    loop {
        tokio::select! {
            ended = &mut work => {
                let failed = |_| ToolError::new("internal error; `knowing status --verify` checks the index, `knowing index --force` rebuilds it");
                return ended.map_err(failed)?;
            }
            Some(report) = reports.recv() => {
                let Some(token) = token.clone() else { continue };
                let progress = ProgressNotificationParam::new(token, report.done)
                    .with_total(report.total)
                    .with_message(report.message);
                // A client that is gone needs no progress.
                let _closed = peer.notify_progress(progress).await;
            }
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("knowing", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools(self.text_only)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = [CONTEXT, SYMBOL].into_iter().find(|tool| *tool == request.name) else {
            let message = format!("unknown tool; the tools are {CONTEXT} and {SYMBOL}");
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let client = context.client_info();
        let client = client.map_or_else(Client::default, |info| Client { name: info.name, version: info.version });
        let parsed = Arguments::parse(tool, &arguments);
        let subject = parsed.as_ref().map_or_else(|_| invalid_subject(tool, arguments), Arguments::subject);
        let record = RequestRecord::begin(RequestSource::Mcp, client, tool, subject);
        Ok(self.clone().call(parsed, record, &context).await.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let server = self.clone();
        let read = spawn_blocking(move || {
            let last = server.last_pack.lock().clone();
            resources::read(&server.projects, &request.uri, last.as_deref())
        });
        let failed = |_| ErrorData::internal_error("the resource could not be read", None);
        Ok(read.await.map_err(failed)??.into())
    }
}
