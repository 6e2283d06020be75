//! The loop of this book as the subject: each op is a call of the floor that has it. What only this
//! subject can do (generators, debug mode) stands in `tower_ops.rs`.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use containers::Source;
use runner::{AsyncGenerator, Phase, Runner};
use serde_json::Value;
use six_steps::{
    Callback, EventLoop, Exception, Handle, LoopError, TimerHandle, TurnRecord, VirtualSelector,
};
use wakeup::{Future, Task, TaskRef, Tasks, current_task, gather_with, sleep};

use crate::exec::{Outcome, Who};
use crate::op::{Body, Name, Op};
use crate::script_callback::ScriptCallback;
use crate::subject::{Ended, Subject};
use crate::tower_watch::TowerWatch;
use crate::world::{Made, World};

pub(crate) struct Tower {
    pub(crate) event_loop: EventLoop,
    pub(crate) selector: VirtualSelector,
    pub(crate) watch: Rc<TowerWatch>,
    // A program keeps its generators to the end, whatever becomes of their names.
    pub(crate) generators: RefCell<Vec<AsyncGenerator>>,
    // Tasks of the library that have awaited themselves: nobody may await them after that.
    pub(crate) spoilt: RefCell<HashSet<Name>>,
}

/// A handle, with the deadline of one that `call_at` gave.
#[derive(Clone)]
pub(crate) enum AnyHandle {
    Soon(Handle),
    Timer(TimerHandle),
}

impl Callback for ScriptCallback<Tower> {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        ScriptCallback::run(self)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// A reader, which removes itself before it does anything else.
struct Reader {
    callback: ScriptCallback<Tower>,
    source: Source,
}

impl Callback for Reader {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        let tower = &self.callback.world.subject;
        tower.event_loop.remove_reader_fd(self.source.fd());
        self.callback.run()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.callback.name())
    }
}

impl Subject for Tower {
    type Handle = AnyHandle;
    type Future = Future<Value>;
    type Listener = Handle;
    type Generator = AsyncGenerator;
    type Runner = Runner;

    fn call_soon(&self, callback: ScriptCallback<Self>) -> Result<AnyHandle, Exception> {
        let handle = Handle::from_callback(callback);
        self.event_loop.call_soon_handle(handle.clone())?;
        Ok(AnyHandle::Soon(handle))
    }

    fn call_at(
        &self,
        when: Duration,
        callback: ScriptCallback<Self>,
    ) -> Result<AnyHandle, Exception> {
        let timer = self.event_loop.call_at_callback(when, callback)?;
        Ok(AnyHandle::Timer(timer))
    }

    fn cancel_handle(&self, handle: &AnyHandle) {
        match handle {
            AnyHandle::Soon(handle) => handle.cancel(),
            AnyHandle::Timer(timer) => timer.cancel(),
        }
    }

    fn handle_cancelled(&self, handle: &AnyHandle) -> bool {
        match handle {
            AnyHandle::Soon(handle) => handle.cancelled(),
            AnyHandle::Timer(timer) => timer.cancelled(),
        }
    }

    fn add_reader(&self, when: Duration, callback: ScriptCallback<Self>) -> Result<(), Exception> {
        let source = self.selector.readable_at(when);
        let reader = Handle::from_callback(Reader {
            callback,
            source: source.clone(),
        });
        self.event_loop.add_reader_handle(source, reader)?;
        Ok(())
    }

    fn stop(&self) {
        self.event_loop.stop();
    }

    fn run_forever(&self) -> Result<(), Exception> {
        self.event_loop.run_forever().map_err(|error| match error {
            LoopError::Exit(exception) => exception,
            other => other.into(),
        })
    }

    fn close(&self) -> Result<(), LoopError> {
        self.event_loop.close()
    }

    fn turn_was_left(&self, text: &str) {
        self.watch.was_left(&self.event_loop, text);
    }

    fn turns(&self) -> Vec<TurnRecord> {
        self.watch.turns()
    }

    fn current_task(&self) -> Option<Name> {
        current_task().map(|task| task.name())
    }

    fn is_current(&self, future: &Future<Value>) -> bool {
        current_task().is_some_and(|task| is_same(future, &task))
    }

    fn create_future(&self, name: &Name) -> Future<Value> {
        let future = self.event_loop.create_future();
        future.set_name(name);
        future
    }

    fn create_task(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Future<Value>, Exception> {
        Ok(named_task(world, name, body)?.future())
    }

    fn create_child(
        world: &Rc<World<Self>>,
        name: &Name,
        body: &Body,
    ) -> Result<Future<Value>, Exception> {
        let task = named_task(world, name, body)?;
        task.keep_quiet_if_destroyed();
        Ok(task.future())
    }

    fn gather(
        &self,
        name: &Name,
        children: Vec<Future<Value>>,
        return_exceptions: bool,
        collect: impl Fn(&[Future<Value>]) -> Ended + 'static,
    ) -> Future<Value> {
        let gathered = gather_with(&self.event_loop, children, return_exceptions, collect);
        gathered.set_name(name);
        gathered
    }

    fn set_result(future: &Future<Value>, value: Value) -> Result<(), Exception> {
        Ok(future.set_result(value)?)
    }

    fn set_exception(future: &Future<Value>, exception: Exception) -> Result<(), Exception> {
        Ok(future.set_exception(exception)?)
    }

    fn add_done_callback(&self, future: &Future<Value>, callback: ScriptCallback<Self>) -> Handle {
        let handle = Handle::from_callback(callback);
        future.add_done_handle(handle.clone());
        handle
    }

    fn remove_done_callback(future: &Future<Value>, listener: &Handle) -> usize {
        future.remove_done_callback(listener)
    }

    fn state(future: &Future<Value>) -> String {
        future.state().to_string()
    }

    fn result(future: &Future<Value>) -> Ended {
        future.result()
    }

    fn exception(future: &Future<Value>) -> Result<Option<Exception>, Exception> {
        future.exception()
    }

    fn cancel(future: &Future<Value>) -> bool {
        future.cancel()
    }

    fn unretrieved(future: &Future<Value>) -> Option<Exception> {
        future.unretrieved_exception()
    }

    async fn wait(&self, future: &Future<Value>) -> Ended {
        future.await
    }

    async fn sleep(&self, delay: Duration) -> Result<(), Exception> {
        sleep(delay).await
    }

    fn runner(&self) -> Runner {
        Runner::with_loop(self.event_loop.clone())
    }

    fn run_main(world: &Rc<World<Self>>, runner: &mut Runner, name: &Name, body: &Body) -> Ended {
        let main = named_task(world, name, body)?;
        world.remember(name, &main.future(), Made::Task);
        runner.run_task(main)
    }

    fn close_runner(world: &Rc<World<Self>>, mut runner: Runner) -> Result<(), Exception> {
        runner.close_observed(|phase| {
            if phase == Phase::AsyncGenerators {
                world.closing_generators();
            }
            world.tracer.set_phase(match phase {
                Phase::Cancel => "cancel",
                Phase::AsyncGenerators => "asyncgens",
                Phase::DefaultExecutor => "executor",
            });
        })
    }

    async fn run_other_op(world: &Rc<World<Self>>, who: Who, op: &Op) -> Outcome {
        world.run_tower_op(who, op).await
    }

    fn clear(&self) {
        drop(self.generators.take());
    }
}

fn named_task(
    world: &Rc<World<Tower>>,
    name: &Name,
    body: &Body,
) -> Result<Task<Value>, Exception> {
    let (inside, body) = (Rc::clone(world), body.clone());
    let coroutine = async move { inside.coroutine(body).await };
    let task = world.subject.event_loop.create_task(coroutine)?;
    task.set_name(name);
    Ok(task)
}

fn is_same(future: &Future<Value>, task: &TaskRef) -> bool {
    std::ptr::addr_eq(Rc::as_ptr(&future.any()), Rc::as_ptr(&task.future()))
}
