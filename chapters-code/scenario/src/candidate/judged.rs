//! A candidate as the subject: what a program asks for becomes calls of its two traits.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use six_steps::{Exception, LoopError, TurnRecord};
use wakeup::TaskError;

use crate::candidate::coroutine::{Coroutine, Resumed, Running};
use crate::candidate::gather::gather;
use crate::candidate::outside::{Callback, Outside};
use crate::candidate::runner;
use crate::candidate::tracked::{Kind, Tracked};
use crate::candidate::{Candidate, Future};
use crate::exec::{Outcome, Who};
use crate::op::{Body, Name, Op};
use crate::script_callback::ScriptCallback;
use crate::subject::{Ended, Subject};
use crate::world::World;

pub(crate) struct Judged<C: Candidate> {
    event_loop: RefCell<Option<Rc<C>>>,
    pub(super) outside: Outside,
    running: Running<C::Future>,
    // All of them, in the order in which they were made.
    pub(super) tasks: RefCell<Vec<Rc<Tracked<C::Future>>>>,
}

impl<C: Candidate> Judged<C> {
    pub(super) fn new(outside: Outside) -> Self {
        Self {
            event_loop: RefCell::new(Some(C::new(outside.clone()))),
            outside,
            running: Running::default(),
            tasks: RefCell::default(),
        }
    }

    pub(super) fn event_loop(&self) -> Rc<C> {
        let event_loop = self.event_loop.borrow().clone();
        event_loop.expect("the loop is there until the trace is written")
    }

    /// A task of any coroutine.
    pub(super) fn task(
        &self,
        name: &Name,
        body: impl std::future::Future<Output = Ended> + 'static,
    ) -> Rc<Tracked<C::Future>> {
        let (coroutine, step) = Coroutine::new(name, Rc::clone(&self.running), body);
        let future = self.event_loop().create_task(name, coroutine);
        let task = Tracked::new(future, Some(name), Kind::Task);
        let _ = step.task.set(Rc::downgrade(&task));
        self.tasks.borrow_mut().push(Rc::clone(&task));
        task
    }

    /// Gives back the thread, and goes on when the task is resumed.
    async fn suspend(&self, parked: Resumed<C::Future>) -> Result<(), Exception> {
        let step = self.running.borrow().clone();
        let step = step.expect("only a coroutine suspends");
        let mut parked = Some(parked);
        poll_fn(|_| match parked.take() {
            Some(parked) => {
                step.parked.set(Some(parked));
                Poll::Pending
            }
            None => Poll::Ready(step.thrown.take().map_or(Ok(()), Err)),
        })
        .await
    }
}

impl<C: Candidate> Subject for Judged<C> {
    type Handle = C::Handle;
    type Future = Rc<Tracked<C::Future>>;
    type Listener = Callback;
    type Generator = ();
    type Runner = ();

    fn call_soon(&self, callback: ScriptCallback<Self>) -> Result<C::Handle, Exception> {
        Ok(self.event_loop().call_soon(named(callback)))
    }

    fn call_at(
        &self,
        when: Duration,
        callback: ScriptCallback<Self>,
    ) -> Result<C::Handle, Exception> {
        Ok(self.event_loop().call_at(when, named(callback)))
    }

    fn cancel_handle(&self, handle: &C::Handle) {
        self.event_loop().cancel(handle);
    }

    fn handle_cancelled(&self, handle: &C::Handle) -> bool {
        self.event_loop().cancelled(handle)
    }

    fn add_reader(&self, when: Duration, callback: ScriptCallback<Self>) -> Result<(), Exception> {
        let fd = self.outside.descriptor(when);
        let reader = Callback::new(callback.name(), move || {
            callback.world.subject.event_loop().remove_reader(fd);
            callback.run()
        });
        self.event_loop().add_reader(fd, reader);
        Ok(())
    }

    fn stop(&self) {
        self.event_loop().stop();
    }

    fn run_forever(&self) -> Result<(), Exception> {
        self.event_loop().run_forever()?;
        self.outside.turn_ended();
        Ok(())
    }

    fn close(&self) -> Result<(), LoopError> {
        Ok(())
    }

    fn turns(&self) -> Vec<TurnRecord> {
        self.outside.turns()
    }

    fn current_task(&self) -> Option<Name> {
        let running = self.running.borrow();
        running.as_ref().map(|step| Rc::clone(&step.name))
    }

    fn is_current(&self, future: &Self::Future) -> bool {
        let running = self.running.borrow();
        let task = running.as_ref().and_then(|step| step.task.get());
        task.is_some_and(|task| task.as_ptr() == Rc::as_ptr(future))
    }

    fn create_future(&self, name: &Name) -> Self::Future {
        Tracked::new(
            self.event_loop().create_future(None),
            Some(name),
            Kind::Plain,
        )
    }

    fn create_task(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Self::Future, Exception> {
        let (inside, body) = (Rc::clone(world), body.clone());
        let coroutine = async move { inside.coroutine(body).await };
        Ok(world.subject.task(name, coroutine))
    }

    fn create_child(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Self::Future, Exception> {
        Self::create_task(world, name, body)
    }

    fn gather(
        &self,
        name: &Name,
        children: Vec<Self::Future>,
        return_exceptions: bool,
        collect: impl Fn(&[Self::Future]) -> Ended + 'static,
    ) -> Self::Future {
        let event_loop = self.event_loop();
        gather(
            &event_loop,
            Some(name),
            children,
            return_exceptions,
            collect,
        )
    }

    fn set_result(future: &Self::Future, value: Value) -> Result<(), Exception> {
        future.set(Ok(value))
    }

    fn set_exception(future: &Self::Future, exception: Exception) -> Result<(), Exception> {
        future.set(Err(exception))
    }

    fn add_done_callback(&self, future: &Self::Future, callback: ScriptCallback<Self>) -> Callback {
        let callback = named(callback);
        future.future.add_done_callback(callback.clone());
        callback
    }

    fn remove_done_callback(future: &Self::Future, listener: &Callback) -> usize {
        future.future.remove_done_callback(listener)
    }

    fn state(future: &Self::Future) -> String {
        future.state().to_owned()
    }

    fn result(future: &Self::Future) -> Ended {
        future.result()
    }

    fn exception(future: &Self::Future) -> Result<Option<Exception>, Exception> {
        future.exception()
    }

    fn cancel(future: &Self::Future) -> bool {
        future.future.cancel()
    }

    fn unretrieved(future: &Self::Future) -> Option<Exception> {
        future.unretrieved()
    }

    async fn wait(&self, future: &Self::Future) -> Ended {
        if let Some(outcome) = future.outcome() {
            return outcome;
        }
        if future.spoilt.get() {
            return Err(TaskError::NotUsedWithFuture.into());
        }
        if self.is_current(future) {
            future.spoilt.set(true);
            // The step after the one that awaited raises it there.
            self.suspend(Resumed::Yielded).await?;
            let name = self.current_task().unwrap_or_else(|| "".into());
            return Err(TaskError::AwaitsItself(name.to_string()).into());
        }
        let resumed = self.suspend(Resumed::Awaits(future.future.clone())).await;
        let outcome = future.outcome();
        resumed?;
        // Resumed before what it waits for is done: asyncio raises this too.
        outcome.unwrap_or_else(|| Err(TaskError::NotUsedWithFuture.into()))
    }

    /// `asyncio.sleep`: a future, a timer and an await; the timer is cancelled on the way out.
    async fn sleep(&self, delay: Duration) -> Result<(), Exception> {
        if delay.is_zero() {
            return self.suspend(Resumed::Yielded).await;
        }
        let event_loop = self.event_loop();
        let future = event_loop.create_future(None);
        let done = future.clone();
        let callback = Callback::new("sleep", move || {
            done.finish(Ok(Value::Null));
            Ok(())
        });
        let timer = event_loop.call_at(self.outside.time() + delay, callback);
        let waited = self.wait(&Tracked::new(future, None, Kind::Plain)).await;
        event_loop.cancel(&timer);
        waited.map(drop)
    }

    fn runner(&self) {}

    fn run_main(world: &Rc<World<Self>>, (): &mut (), name: &Name, body: &Body) -> Ended {
        runner::run_main(world, name, body)
    }

    fn close_runner(world: &Rc<World<Self>>, (): ()) -> Result<(), Exception> {
        runner::close(world)
    }

    async fn run_other_op(_: &Rc<World<Self>>, _: Who, _: &Op) -> Outcome {
        Err(Exception::error(
            "a candidate runs programs of level 1 and 2",
        ))
    }

    fn clear(&self) {
        drop((self.tasks.take(), self.event_loop.take()));
    }
}

fn named<C: Candidate>(callback: ScriptCallback<Judged<C>>) -> Callback {
    Callback::new(callback.name(), move || callback.run())
}
