//! Predictions: where a prediction leaves what really happens. The message names that place and
//! keeps the rest to itself, so that there is something left to think about.

use std::fmt::{Debug, Display};

use crate::rule::Rule;

impl Rule {
    /// Compares a predicted order with the real one, word by word.
    ///
    /// ```
    /// # const ORDER: lesson::Rule = lesson::Rule { says: "", reread: "" };
    /// ORDER.predicted("the order of the ends", "B C A", "B C A");
    /// ```
    ///
    /// # Panics
    /// At the first word that is wrong, missing or too much, with the rule. What really comes
    /// there is not said.
    #[track_caller]
    pub fn predicted(&self, what: impl Display, predicted: &str, real: &str) {
        let (predicted, real): (Vec<&str>, Vec<&str>) = (
            predicted.split_whitespace().collect(),
            real.split_whitespace().collect(),
        );
        let right = predicted
            .iter()
            .zip(&real)
            .take_while(|(said, came)| said == came)
            .count();
        let so_far = predicted[..right].join(" ");
        match (predicted.get(right), real.get(right)) {
            (None, None) => {}
            (None, Some(_)) if right == 0 => self.broken(format_args!(
                "{what}: nothing is predicted yet, and something happens"
            )),
            (None, Some(_)) => self.broken(format_args!(
                "{what}: {so_far:?} is right as far as it goes, but it goes on"
            )),
            (Some(said), None) => self.broken(format_args!(
                "{what}: it is over after {so_far:?}, and {said:?} does not come"
            )),
            (Some(said), Some(_)) if right == 0 => self.broken(format_args!(
                "{what}: you begin with {said:?}, and it begins otherwise"
            )),
            (Some(said), Some(_)) => self.broken(format_args!(
                "{what}: {so_far:?} is right, but {said:?} does not come next"
            )),
        }
    }

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
                "{what}: your prediction ends after {}, and more happens",
                if same == 1 { "1 entry".to_owned() } else { format!("{same} entries") }
            )),
        }
    }

    /// Compares a predicted number with the real one.
    ///
    /// ```
    /// # const ROUND: lesson::Rule = lesson::Rule { says: "", reread: "" };
    /// ROUND.counted("the number of rounds", 4, 4);
    /// ```
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

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const RULE: Rule = Rule {
        says: "it is so",
        reread: "this file",
    };

    fn message(check: fn()) -> String {
        *catch_unwind(check).unwrap_err().downcast().unwrap()
    }

    #[test]
    fn each_way_to_be_wrong_is_named_without_the_answer() {
        let begin = message(|| RULE.predicted("it", "x b", "a b"));
        assert!(begin.contains("it: you begin with \"x\", and it begins otherwise"));
        let next = message(|| RULE.predicted("it", "a x", "a b"));
        assert!(next.contains("\"a\" is right, but \"x\" does not come next"));
        let short = message(|| RULE.predicted("it", "a", "a b"));
        assert!(short.contains("right as far as it goes, but it goes on"));
        let long = message(|| RULE.predicted("it", "a x", "a"));
        assert!(long.contains("it is over after \"a\", and \"x\" does not come"));
        let nothing = message(|| RULE.predicted("it", "", "a"));
        assert!(nothing.contains("nothing is predicted yet"));
    }

    #[test]
    fn a_wrong_number_is_too_large_or_too_small() {
        assert!(message(|| RULE.counted("it", 3, 4)).contains("you say 3, and it is more"));
        assert!(message(|| RULE.counted("it", 5, 4)).contains("you say 5, and it is less"));
    }
}
