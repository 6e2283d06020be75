//! stub
pub(crate) fn run() -> anyhow::Result<std::process::ExitCode> { unimplemented!() }
