//! One part of a class, for a matrix of machines.

use std::str::FromStr;

use anyhow::{Context as _, ensure};

use super::intake::Submissions;

/// The part `part` of `parts`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    part: usize,
    parts: usize,
}

impl Shard {
    /// Every `parts`-th submission, so that neighbours, who often take as long, are spread.
    pub(crate) fn of(self, submissions: Submissions) -> Submissions {
        let mine = |index: &usize| index % self.parts == self.part - 1;
        let numbered = submissions.into_iter().enumerate();
        numbered
            .filter(|(index, _)| mine(index))
            .map(|(_, one)| one)
            .collect()
    }
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (part, parts) = text.split_once('/')?;
            Some((part.parse().ok()?, parts.parse().ok()?))
        };
        let (part, parts) = parse().context("write K/N, such as 3/8")?;
        ensure!((1..=parts).contains(&part), "the part is from 1 to {parts}");
        Ok(Self { part, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_whole_and_share_nothing() {
        let all: Submissions = (0..10)
            .map(|n| (format!("{n}"), n.to_string().into()))
            .collect();
        let mut seen = Submissions::new();
        for part in 1..=3 {
            let shard: Shard = format!("{part}/3").parse().unwrap();
            let mine = shard.of(all.clone());
            assert!((3..=4).contains(&mine.len()));
            for (name, path) in mine {
                assert!(seen.insert(name, path).is_none());
            }
        }
        assert_eq!(seen, all);
    }

    #[test]
    fn what_is_no_part_is_said() {
        for text in ["", "3", "0/3", "4/3", "a/b", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
