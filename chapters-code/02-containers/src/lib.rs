//! 02-containers.
