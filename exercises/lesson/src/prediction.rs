//! What a test says of a prediction: where it leaves what happens, and not what happens instead.

use std::fmt::{Debug, Display};

use crate::rule::Rule;

impl Rule {
    /// Compares a predicted list with the real one.
    ///
    /// # Panics
    /// If they differ, with the first place at which they do. The right entry stays for the learner
    /// to find.
    #[track_caller]
    pub fn foretold<T: PartialEq + Debug>(&self, what: impl Display, predicted: &[T], real: &[T]) {
        let same = predicted.iter().zip(real).take_while(|(a, b)| a == b);
        let same = same.count();
        let number = same + 1;
        match (predicted.get(same), real.get(same)) {
            (None, None) => {}
            (Some(entry), Some(_)) => self.broken(format_args!(
                "{what}: entry {number} of your prediction is {entry:?}, and something else happens there"
            )),
            (Some(entry), None) => self.broken(format_args!(
                "{what}: entry {number} of your prediction is {entry:?}, and nothing happens any more"
            )),
            (None, Some(_)) => self.broken(format_args!(
                "{what}: your prediction ends after {same} entries, and more happens"
            )),
        }
    }

    /// Compares a predicted number with the real one.
    ///
    /// # Panics
    /// If they differ; it says which is greater, and not by how much.
    #[track_caller]
    pub fn counted<T: PartialOrd + Display>(&self, what: impl Display, predicted: T, real: T) {
        if predicted < real {
            self.broken(format_args!("{what}: you say {predicted}, and it is more"));
        }
        if predicted > real {
            self.broken(format_args!("{what}: you say {predicted}, and it is less"));
        }
    }
}
