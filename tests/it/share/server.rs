//! An S3 server for tests: the `s3s` implementation of the protocol over a folder, with faults.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use s3s::auth::{S3Auth, SecretKey};
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, S3Result, s3_error};
use tempfile::TempDir;

/// Called before a request is served, with its method and path.
type Hook = Box<dyn FnMut(&str, &str) + Send>;

/// Faults of the server, which can be changed while it runs.
#[derive(Default)]
pub struct Faults {
    /// The valid access key; `None` after it was revoked.
    key: Mutex<Option<String>>,
    /// Seconds by which the client's clock is ahead.
    pub clock: AtomicI64,
    /// Whether the disk is full.
    pub is_full: AtomicBool,
    /// Whether connections end in the middle of an upload.
    pub tears_uploads: AtomicBool,
    hook: Mutex<Option<Hook>>,
}

impl Faults {
    pub fn revoke(&self) {
        *self.key.lock().unwrap() = None;
    }

    pub fn before(&self, hook: impl FnMut(&str, &str) + Send + 'static) {
        *self.hook.lock().unwrap() = Some(Box::new(hook));
    }
}

struct Keys(Arc<Faults>);

#[async_trait::async_trait]
impl S3Auth for Keys {
    async fn get_secret_key(&self, access_key: &str) -> S3Result<SecretKey> {
        match self.0.key.lock().unwrap().as_deref() {
            Some(key) if key == access_key => Ok(SECRET.into()),
            _ => Err(s3_error!(InvalidAccessKeyId)),
        }
    }
}

pub const KEY: &str = "AKIATEST";
pub const SECRET: &str = "correct horse battery staple";

/// A running server with a bucket `indexes`.
pub struct Server {
    pub faults: Arc<Faults>,
    pub is_public: bool,
    address: SocketAddr,
    folder: TempDir,
}

impl Server {
    /// Starts a server that accepts [`KEY`] and [`SECRET`], or everyone.
    pub fn start(is_public: bool) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("indexes")).unwrap();
        let faults = Arc::new(Faults::default());
        *faults.key.lock().unwrap() = Some(KEY.to_owned());
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
        if !is_public {
            builder.set_auth(Keys(faults.clone()));
        }
        let service = builder.build();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let serving = faults.clone();
        std::thread::spawn(move || serve(listener, service, serving));
        Server { faults, is_public, address, folder }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the files of the bucket in the folder of a kind, `objects` or `commits`.
    pub fn files(&self, kind: &str) -> Vec<PathBuf> {
        super::files_in(&self.folder.path().join("indexes"), kind)
    }
}

fn serve(listener: std::net::TcpListener, service: S3Service, faults: Arc<Faults>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let (service, faults) = (service.clone(), faults.clone());
            let answer = hyper::service::service_fn(move |request| answer(service.clone(), faults.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
            tokio::spawn(async { connection.await.unwrap_or_default() });
        }
    });
}

async fn answer(
    service: S3Service,
    faults: Arc<Faults>,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, std::io::Error> {
    let (method, path) = (request.method().as_str().to_owned(), request.uri().path().to_owned());
    if let Some(hook) = faults.hook.lock().unwrap().as_mut() {
        hook(&method, &path);
    }
    if method == "PUT" && faults.tears_uploads.load(Ordering::Relaxed) {
        request.body_mut().frame().await;
        return Err(std::io::ErrorKind::ConnectionReset.into());
    }
    if method == "PUT" && faults.is_full.load(Ordering::Relaxed) {
        let body = "<Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive \
                    threshold.</Message></Error>";
        let response = Response::builder().status(StatusCode::INSUFFICIENT_STORAGE);
        return Ok(response.body(Body::from(body.to_owned())).unwrap());
    }
    let ahead = faults.clock.load(Ordering::Relaxed);
    if ahead != 0 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
        request.headers_mut().insert("x-amz-date", date(now + ahead).parse().unwrap());
    }
    let answer = hyper::service::Service::call(&service, request).await;
    Ok(answer.unwrap())
}

/// Formats seconds since 1970 as `20261124T001122Z`. Algorithm: `civil_from_days` of Howard Hinnant.
fn date(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}{month:02}{day:02}T{:02}{:02}{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}
