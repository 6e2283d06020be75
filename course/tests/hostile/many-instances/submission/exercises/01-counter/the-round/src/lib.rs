//! Two for each one.

use std::collections::VecDeque;

/// A slip: when it is served, it may put further slips on the counter.
pub type Slip = Box<dyn FnOnce(&mut Counter)>;

fn f0<T>() -> usize {
    size_of::<T>()
}

fn f1<T>() -> usize {
    f0::<(T, u8)>() + f0::<(T, u16)>()
}

fn f2<T>() -> usize {
    f1::<(T, u8)>() + f1::<(T, u16)>()
}

fn f3<T>() -> usize {
    f2::<(T, u8)>() + f2::<(T, u16)>()
}

fn f4<T>() -> usize {
    f3::<(T, u8)>() + f3::<(T, u16)>()
}

fn f5<T>() -> usize {
    f4::<(T, u8)>() + f4::<(T, u16)>()
}

fn f6<T>() -> usize {
    f5::<(T, u8)>() + f5::<(T, u16)>()
}

fn f7<T>() -> usize {
    f6::<(T, u8)>() + f6::<(T, u16)>()
}

fn f8<T>() -> usize {
    f7::<(T, u8)>() + f7::<(T, u16)>()
}

fn f9<T>() -> usize {
    f8::<(T, u8)>() + f8::<(T, u16)>()
}

fn f10<T>() -> usize {
    f9::<(T, u8)>() + f9::<(T, u16)>()
}

fn f11<T>() -> usize {
    f10::<(T, u8)>() + f10::<(T, u16)>()
}

fn f12<T>() -> usize {
    f11::<(T, u8)>() + f11::<(T, u16)>()
}

fn f13<T>() -> usize {
    f12::<(T, u8)>() + f12::<(T, u16)>()
}

fn f14<T>() -> usize {
    f13::<(T, u8)>() + f13::<(T, u16)>()
}

fn f15<T>() -> usize {
    f14::<(T, u8)>() + f14::<(T, u16)>()
}

fn f16<T>() -> usize {
    f15::<(T, u8)>() + f15::<(T, u16)>()
}

fn f17<T>() -> usize {
    f16::<(T, u8)>() + f16::<(T, u16)>()
}

fn f18<T>() -> usize {
    f17::<(T, u8)>() + f17::<(T, u16)>()
}

fn f19<T>() -> usize {
    f18::<(T, u8)>() + f18::<(T, u16)>()
}

fn f20<T>() -> usize {
    f19::<(T, u8)>() + f19::<(T, u16)>()
}

fn f21<T>() -> usize {
    f20::<(T, u8)>() + f20::<(T, u16)>()
}

fn f22<T>() -> usize {
    f21::<(T, u8)>() + f21::<(T, u16)>()
}

fn f23<T>() -> usize {
    f22::<(T, u8)>() + f22::<(T, u16)>()
}

fn f24<T>() -> usize {
    f23::<(T, u8)>() + f23::<(T, u16)>()
}

fn many<T>(_: &T) -> usize {
    f24::<T>()
}

/// The counter with its stack of slips, the oldest in front.
#[derive(Default)]
pub struct Counter {
    stack: VecDeque<Slip>,
}

impl Counter {
    /// A counter without slips.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a slip behind the others.
    pub fn put(&mut self, slip: impl FnOnce(&mut Counter) + 'static) {
        self.stack.reserve(many(&slip));
        self.stack.push_back(Box::new(slip));
    }

    /// How many slips lie on the counter.
    pub fn waiting(&self) -> usize {
        self.stack.len()
    }

    /// Serves one round: the slips that lay on the counter when it began, the oldest first. What
    /// they put on the counter waits for the next round.
    ///
    /// Returns how many slips were served.
    pub fn round(&mut self) -> usize {
        let count = self.stack.len();
        for _ in 0..count {
            let slip = self.stack.pop_front().expect("only this loop takes slips");
            slip(self);
        }
        count
    }
}
