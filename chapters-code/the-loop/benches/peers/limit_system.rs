//! The least work that does the job, by hand, where the system has a part in it: descriptors, and
//! other threads.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{EventfdFlags, epoll, eventfd};

use crate::across::Post;
use crate::measure::{pin, wall_time};
use crate::peer::Job;

/// An epoll that watches an eventfd.
struct Bell {
    epoll: OwnedFd,
    eventfd: OwnedFd,
}

impl Bell {
    fn new() -> Self {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
        let eventfd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).unwrap();
        Self { epoll, eventfd }
    }

    fn watch(&self) {
        let data = epoll::EventData::new_u64(0);
        epoll::add(
            &self.epoll,
            self.eventfd.as_fd(),
            data,
            epoll::EventFlags::IN,
        )
        .unwrap();
    }

    fn ring(&self) {
        rustix::io::write(&self.eventfd, &1_u64.to_ne_bytes()).unwrap();
    }

    fn wait(&self) {
        let mut events: Vec<epoll::Event> = Vec::with_capacity(1);
        epoll::wait(&self.epoll, spare_capacity(&mut events), None).unwrap();
        let mut bytes = [0; 8];
        rustix::io::read(&self.eventfd, &mut bytes).unwrap();
    }
}

pub(crate) fn run_fresh(n: u64) {
    for _ in 0..n {
        drop(Bell::new());
    }
}

/// Posts under a lock, and a bell for the first of a burst.
#[derive(Clone)]
pub(crate) struct Posts(Arc<Inner>);

struct Inner {
    jobs: Mutex<Vec<Job>>,
    rang: AtomicBool,
    bell: Bell,
}

impl Post for Posts {
    fn post(&self, job: impl FnOnce() + Send + 'static) {
        self.0.jobs.lock().unwrap().push(Box::new(job));
        if !self.0.rang.swap(true, Ordering::SeqCst) {
            self.0.bell.ring();
        }
    }
}

pub(crate) fn posts(work: impl FnOnce(&Posts) + Send + 'static) -> Duration {
    let bell = Bell::new();
    bell.watch();
    let posts = Posts(Arc::new(Inner {
        jobs: Mutex::default(),
        rang: AtomicBool::new(false),
        bell,
    }));
    let stop = Arc::new(AtomicBool::new(false));
    let (to, ended) = (posts.clone(), Arc::clone(&stop));
    wall_time(|| {
        let other = thread::spawn(move || {
            pin(1);
            work(&to);
            to.post(move || ended.store(true, Ordering::Relaxed));
        });
        while !stop.load(Ordering::Relaxed) {
            posts.0.bell.wait();
            posts.0.rang.store(false, Ordering::SeqCst);
            let jobs = std::mem::take(&mut *posts.0.jobs.lock().unwrap());
            for job in jobs {
                job();
            }
        }
        other.join().unwrap();
    })
}

#[derive(Default)]
struct Work {
    job: Option<fn()>,
    closed: bool,
}

struct Desk {
    work: Mutex<Work>,
    arrived: Condvar,
    bell: Bell,
}

pub(crate) fn to_thread(n: u64, job: fn()) {
    let bell = Bell::new();
    bell.watch();
    let desk = Arc::new(Desk {
        work: Mutex::default(),
        arrived: Condvar::new(),
        bell,
    });
    let shared = Arc::clone(&desk);
    let worker = thread::spawn(move || {
        let mut work = shared.work.lock().unwrap();
        loop {
            if let Some(job) = work.job.take() {
                drop(work);
                job();
                shared.bell.ring();
                work = shared.work.lock().unwrap();
            } else if work.closed {
                return;
            } else {
                work = shared.arrived.wait(work).unwrap();
            }
        }
    });
    for _ in 0..n {
        desk.work.lock().unwrap().job = Some(job);
        desk.arrived.notify_one();
        desk.bell.wait();
    }
    desk.work.lock().unwrap().closed = true;
    desk.arrived.notify_one();
    worker.join().unwrap();
}
