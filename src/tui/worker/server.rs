//! A thread with a queue that is served to its end: quitting loses no job.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::spawn;

/// The longest wait for the queued jobs at the end. A clipboard program that hangs must not keep the explorer.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The sending end of a thread's queue. When it is dropped, it waits until the queued jobs are done.
pub struct Server<T> {
    /// `None` only while it is dropped.
    queue: Option<UnboundedSender<T>>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl<T: Send + 'static> Server<T> {
    /// Starts a thread that does `work` on the jobs of its queue.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(name: &str, work: impl FnOnce(UnboundedReceiver<T>) + Send + 'static) -> io::Result<Server<T>> {
        let (queue, jobs) = unbounded_channel();
        let (running, ended) = channel::<()>();
        spawn(name, move || {
            work(jobs);
            drop(running);
        })?;
        Ok(Server { queue: Some(queue), ended })
    }

    /// Queues a job. A thread that has ended has already reported why.
    pub fn send(&self, job: T) {
        if let Some(queue) = &self.queue {
            let _disconnected = queue.send(job);
        }
    }
}

impl<T> Drop for Server<T> {
    fn drop(&mut self) {
        self.queue = None;
        // Nothing is ever sent: this waits for the end of the thread.
        let _ended = self.ended.recv_timeout(MAX_WAIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_waits_for_the_queued_jobs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let server = Server::start("test", move |mut jobs: UnboundedReceiver<usize>| {
            while let Some(job) = jobs.blocking_recv() {
                std::thread::sleep(Duration::from_millis(1));
                std::fs::write(path.join(job.to_string()), "x").unwrap();
            }
        });
        let server = server.unwrap();
        (0..50).for_each(|job| server.send(job));
        drop(server);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 50);
    }
}
