//! The least that has a job done on another thread and hears of its end.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use rustix::event::{EventfdFlags, epoll, eventfd};

type Work = Box<dyn FnOnce() + Send>;
/// What waits to be done, and whether nothing more will come.
type Shared = (Mutex<(VecDeque<Work>, bool)>, Condvar);

/// A queue, a condition, a thread, and an eventfd for the way back: no loop, no future, no task.
pub(crate) struct Bare {
    shared: Arc<Shared>,
    bell: Arc<OwnedFd>,
    epoll: OwnedFd,
    thread: Option<thread::JoinHandle<()>>,
}

impl Bare {
    pub(crate) fn new() -> std::io::Result<Self> {
        let bell = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let key = epoll::EventData::new_u64(0);
        epoll::add(&epoll, &*bell, key, epoll::EventFlags::IN)?;
        let shared: Arc<Shared> = Arc::default();
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            let (queue, condition) = &*theirs;
            loop {
                let mut state = queue.lock().unwrap();
                let work = loop {
                    match state.0.pop_front() {
                        Some(work) => break work,
                        None if state.1 => return,
                        None => state = condition.wait(state).unwrap(),
                    }
                };
                drop(state);
                work();
            }
        });
        Ok(Self {
            shared,
            bell,
            epoll,
            thread: Some(thread),
        })
    }

    pub(crate) fn round_trip(&self) -> std::io::Result<()> {
        let bell = Arc::clone(&self.bell);
        let (queue, condition) = &*self.shared;
        queue.lock().unwrap().0.push_back(Box::new(move || {
            let rang = rustix::io::write(&*bell, &1_u64.to_ne_bytes());
            assert!(rang.is_ok(), "an eventfd takes a ring");
        }));
        condition.notify_one();
        let mut events = Vec::with_capacity(1);
        let space = rustix::buffer::spare_capacity(&mut events);
        epoll::wait(&self.epoll, space, None)?;
        rustix::io::read(&*self.bell, &mut [0_u8; 8])?;
        Ok(())
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.shared.0.lock().unwrap().1 = true;
        self.shared.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
