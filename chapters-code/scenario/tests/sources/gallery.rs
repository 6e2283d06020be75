//! The Rust of the gallery, each program in a module of its own. Written by
//! `cargo run -p scenario --example run_files -- --rust`.

mod two_workers {
    use the_loop::{Outcome, create_task, run, yield_now};

    async fn a() -> Outcome<()> {
        println!("A1");
        yield_now().await?;
        println!("A2");
        Ok(())
    }

    async fn b() -> Outcome<()> {
        println!("B1");
        yield_now().await?;
        println!("B2");
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let a_task = create_task(a())?;
            let b_task = create_task(b())?;
            a_task.await?;
            b_task.await?;
            Ok(())
        })
    }
}

mod rude_task {
    use std::thread;
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep};

    async fn a() -> Outcome<()> {
        for _ in 0..6 {
            println!("A");
            sleep(Duration::from_millis(20)).await?;
        }
        Ok(())
    }

    async fn b() -> Outcome<()> {
        for _ in 0..6 {
            println!("B");
            sleep(Duration::from_millis(20)).await?;
        }
        Ok(())
    }

    async fn rude() -> Outcome<()> {
        sleep(Duration::from_millis(30)).await?;
        println!("rude begins");
        thread::sleep(Duration::from_millis(100));
        println!("rude ends");
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let a_task = create_task(a())?;
            let b_task = create_task(b())?;
            create_task(rude())?;
            a_task.await?;
            b_task.await?;
            Ok(())
        })
    }
}

mod rude_offloaded {
    use std::time::Duration;

    use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, sleep};

    async fn a() -> Outcome<()> {
        for _ in 0..6 {
            println!("A");
            sleep(Duration::from_millis(20)).await?;
        }
        Ok(())
    }

    async fn b() -> Outcome<()> {
        for _ in 0..6 {
            println!("B");
            sleep(Duration::from_millis(20)).await?;
        }
        Ok(())
    }

    fn thread_ends(result: Future<&'static str>) -> Outcome<()> {
        result.set_result("done")?;
        Ok(())
    }

    async fn polite() -> Outcome<()> {
        sleep(Duration::from_millis(30)).await?;
        println!("sent away");
        let result = running_loop()?.create_future::<&'static str>();
        let ours = result.clone();
        running_loop()?.call_later(Duration::from_millis(100), move || thread_ends(ours))?;
        result.await?;
        println!("it is back");
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let a_task = create_task(a())?;
            let b_task = create_task(b())?;
            let polite_task = create_task(polite())?;
            a_task.await?;
            b_task.await?;
            polite_task.await?;
            Ok(())
        })
    }
}

mod six_steps {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    use std::rc::Rc;
    use std::thread;
    use std::time::Duration;

    use the_loop::{EventLoop, Outcome, Source, running_loop};

    fn coffee() {}

    fn tea() {
        println!("the tea is ready");
    }

    fn greet() {}

    fn guest(door: &UnixStream) -> Outcome<()> {
        (&*door).read_exact(&mut [0])?;
        running_loop()?.remove_reader(&door);
        running_loop()?.call_soon(greet)?;
        Ok(())
    }

    fn closing() -> Outcome<()> {
        running_loop()?.stop();
        Ok(())
    }

    fn main() -> Outcome<()> {
        let event_loop = EventLoop::new();
        let coffee_handle = event_loop.call_later(Duration::from_millis(5), coffee)?;
        event_loop.call_later(Duration::from_millis(10), tea)?;
        let (door, knock) = UnixStream::pair()?;
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(10));
            (&knock).write_all(b"x")
        });
        let door = Rc::new(door);
        event_loop.add_reader(Source::new(door.clone()), move || guest(&door))?;
        event_loop.call_later(Duration::from_millis(25), closing)?;
        coffee_handle.cancel();
        event_loop.run_forever()?;
        event_loop.close()?;
        Ok(())
    }
}

mod empty {
    use the_loop::{Outcome, run};

    fn main() -> Outcome<()> {
        run(async {
            Ok(())
        })
    }
}

mod sleep {
    use std::time::Duration;

    use the_loop::{Outcome, run, sleep};

    fn main() -> Outcome<()> {
        run(async {
            println!("before");
            sleep(Duration::from_millis(10)).await?;
            println!("after");
            Ok(())
        })
    }
}

mod sleep_zero {
    use the_loop::{Outcome, create_task, run, yield_now};

    async fn other() -> Outcome<()> {
        println!("in between");
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            create_task(other())?;
            println!("before");
            yield_now().await?;
            println!("after");
            Ok(())
        })
    }
}

mod chain {
    use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, yield_now};

    async fn a(first: Future<&'static str>, second: Future<&'static str>) -> Outcome<()> {
        first.await?;
        second.set_result("from A")?;
        Ok(())
    }

    async fn b(second: Future<&'static str>) -> Outcome<&'static str> {
        second.await?;
        Ok("done")
    }

    fn main() -> Outcome<()> {
        run(async {
            let first = running_loop()?.create_future::<&'static str>();
            let second = running_loop()?.create_future::<&'static str>();
            create_task(a(first.clone(), second.clone()))?;
            let b_task = create_task(b(second.clone()))?;
            yield_now().await?;
            first.set_result("from main")?;
            b_task.await?;
            Ok(())
        })
    }
}

mod gather {
    use std::time::Duration;

    use the_loop::{Outcome, create_task, gather, run, sleep};

    async fn both_0() -> Outcome<&'static str> {
        sleep(Duration::from_millis(10)).await?;
        Ok("tea")
    }

    async fn both_1() -> Outcome<&'static str> {
        sleep(Duration::from_millis(20)).await?;
        Ok("water")
    }

    fn main() -> Outcome<()> {
        run(async {
            let both = gather([create_task(both_0())?, create_task(both_1())?])?;
            both.await?;
            Ok(())
        })
    }
}

mod cancellation {
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep};

    async fn slow() -> Outcome<()> {
        match sleep(Duration::from_millis(1000)).await {
            Ok(_) => {}
            Err(exception) if exception.is_cancelled() => {
                println!("cleaning up");
                sleep(Duration::from_millis(5)).await?;
                return Err(exception);
            }
            Err(exception) => return Err(exception),
        }
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let slow_task = create_task(slow())?;
            sleep(Duration::from_millis(10)).await?;
            slow_task.cancel();
            match slow_task.await {
                Ok(_) => {}
                Err(exception) if exception.is_cancelled() => {
                    println!("it is gone");
                }
                Err(exception) => return Err(exception),
            }
            Ok(())
        })
    }
}

mod pulse_blocking {
    use std::thread;
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep, yield_now};

    async fn pulse() -> Outcome<()> {
        for _ in 0..1000 {
            sleep(Duration::from_millis(10)).await?;
            println!("tick");
        }
        Ok(())
    }

    async fn worker() -> Outcome<()> {
        for _ in 0..10 {
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let pulse_task = create_task(pulse())?;
            let worker_task = create_task(worker())?;
            worker_task.await?;
            yield_now().await?;
            yield_now().await?;
            pulse_task.cancel();
            match pulse_task.await {
                Ok(_) => {}
                Err(exception) if exception.is_cancelled() => {}
                Err(exception) => return Err(exception),
            }
            Ok(())
        })
    }
}

mod pulse_yielding {
    use std::thread;
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep, yield_now};

    async fn pulse() -> Outcome<()> {
        for _ in 0..1000 {
            sleep(Duration::from_millis(10)).await?;
            println!("tick");
        }
        Ok(())
    }

    async fn worker() -> Outcome<()> {
        for _ in 0..10 {
            thread::sleep(Duration::from_millis(100));
            yield_now().await?;
        }
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let pulse_task = create_task(pulse())?;
            let worker_task = create_task(worker())?;
            worker_task.await?;
            yield_now().await?;
            yield_now().await?;
            pulse_task.cancel();
            match pulse_task.await {
                Ok(_) => {}
                Err(exception) if exception.is_cancelled() => {}
                Err(exception) => return Err(exception),
            }
            Ok(())
        })
    }
}

mod pulse_cooperative {
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep, yield_now};

    async fn pulse() -> Outcome<()> {
        for _ in 0..1000 {
            sleep(Duration::from_millis(10)).await?;
            println!("tick");
        }
        Ok(())
    }

    async fn worker() -> Outcome<()> {
        for _ in 0..10 {
            sleep(Duration::from_millis(100)).await?;
        }
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let pulse_task = create_task(pulse())?;
            let worker_task = create_task(worker())?;
            worker_task.await?;
            yield_now().await?;
            yield_now().await?;
            pulse_task.cancel();
            match pulse_task.await {
                Ok(_) => {}
                Err(exception) if exception.is_cancelled() => {}
                Err(exception) => return Err(exception),
            }
            Ok(())
        })
    }
}

mod pulse_offloaded {
    use std::time::Duration;

    use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, sleep, yield_now};

    async fn pulse() -> Outcome<()> {
        for _ in 0..1000 {
            sleep(Duration::from_millis(10)).await?;
            println!("tick");
        }
        Ok(())
    }

    fn thread_ends(result: Future<()>) -> Outcome<()> {
        result.set_result(())?;
        Ok(())
    }

    async fn worker() -> Outcome<()> {
        for _ in 0..10 {
            let result = running_loop()?.create_future::<()>();
            let ours = result.clone();
            running_loop()?.call_later(Duration::from_millis(100), move || thread_ends(ours))?;
            (&result).await?;
        }
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            let pulse_task = create_task(pulse())?;
            let worker_task = create_task(worker())?;
            worker_task.await?;
            yield_now().await?;
            yield_now().await?;
            pulse_task.cancel();
            match pulse_task.await {
                Ok(_) => {}
                Err(exception) if exception.is_cancelled() => {}
                Err(exception) => return Err(exception),
            }
            Ok(())
        })
    }
}

mod slow_callback {
    use std::thread;
    use std::time::Duration;

    use the_loop::{Outcome, Runner, running_loop, yield_now};

    fn quick() {
        thread::sleep(Duration::from_millis(20));
    }

    fn slow() {
        thread::sleep(Duration::from_millis(150));
    }

    fn main() -> Outcome<()> {
        let mut runner = Runner::new().with_debug(true);
        runner.run(async {
            running_loop()?.call_soon(quick)?;
            running_loop()?.call_soon(slow)?;
            yield_now().await?;
            println!("goes on");
            Ok(())
        })?;
        runner.close()?;
        Ok(())
    }
}

mod runner_twice {
    use std::time::Duration;

    use the_loop::{Outcome, Runner, sleep};

    fn main() -> Outcome<()> {
        let mut runner = Runner::new();
        runner.run(async {
            println!("one");
            sleep(Duration::from_millis(5)).await?;
            Ok(())
        })?;
        runner.run(async {
            println!("two");
            Ok(())
        })?;
        runner.close()?;
        Ok(())
    }
}

mod closing {
    use std::time::Duration;

    use the_loop::{Outcome, create_task, run, sleep, yield_now};

    async fn left_behind() -> Outcome<()> {
        sleep(Duration::from_millis(1000)).await?;
        Ok(())
    }

    fn main() -> Outcome<()> {
        run(async {
            create_task(left_behind())?;
            yield_now().await?;
            println!("main ends");
            Ok(())
        })
    }
}

mod ties {
    use std::time::Duration;

    use the_loop::{EventLoop, Outcome, running_loop};

    fn a() {}

    fn b() {}

    fn c() {}

    fn d() -> Outcome<()> {
        running_loop()?.stop();
        Ok(())
    }

    fn main() -> Outcome<()> {
        let event_loop = EventLoop::new();
        let start = event_loop.time();
        event_loop.call_at(start + Duration::from_millis(5), a)?;
        event_loop.call_at(start + Duration::from_millis(5), b)?;
        event_loop.call_at(start + Duration::from_millis(5), c)?;
        event_loop.call_at(start + Duration::from_millis(5), d)?;
        event_loop.run_forever()?;
        event_loop.close()?;
        Ok(())
    }
}

mod starving {
    use std::thread;
    use std::time::Duration;

    use the_loop::{EventLoop, Outcome, running_loop};

    fn spin7() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.stop();
        Ok(())
    }

    fn spin6() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin7)?;
        Ok(())
    }

    fn spin5() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin6)?;
        Ok(())
    }

    fn spin4() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin5)?;
        Ok(())
    }

    fn spin3() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin4)?;
        Ok(())
    }

    fn spin2() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin3)?;
        Ok(())
    }

    fn spin1() -> Outcome<()> {
        thread::sleep(Duration::from_millis(2));
        running_loop()?.call_soon(spin2)?;
        Ok(())
    }

    fn timer() {
        println!("my turn");
    }

    fn main() -> Outcome<()> {
        let event_loop = EventLoop::new();
        event_loop.call_soon(spin1)?;
        event_loop.call_later(Duration::from_millis(5), timer)?;
        event_loop.run_forever()?;
        event_loop.close()?;
        Ok(())
    }
}

mod swept {
    use std::time::Duration;

    use the_loop::{EventLoop, Outcome, running_loop};

    fn early() {}

    fn tea() {
        println!("tea");
    }

    fn late() {}

    fn end() -> Outcome<()> {
        running_loop()?.stop();
        Ok(())
    }

    fn main() -> Outcome<()> {
        let event_loop = EventLoop::new();
        let early_handle = event_loop.call_later(Duration::from_millis(5), early)?;
        event_loop.call_later(Duration::from_millis(10), tea)?;
        let late_handle = event_loop.call_later(Duration::from_millis(15), late)?;
        event_loop.call_later(Duration::from_millis(20), end)?;
        early_handle.cancel();
        late_handle.cancel();
        event_loop.run_forever()?;
        event_loop.close()?;
        Ok(())
    }
}

mod await_chain {
    use the_loop::{Outcome, run, yield_now};

    async fn nested() -> Outcome<&'static str> {
        println!("inner, before");
        yield_now().await?;
        println!("inner, after");
        Ok("tea")
    }

    async fn nested_2() -> Outcome<&'static str> {
        println!("outer");
        nested().await?;
        Ok("and milk")
    }

    fn main() -> Outcome<()> {
        run(async {
            println!("main");
            nested_2().await?;
            println!("main again");
            Ok(())
        })
    }
}
