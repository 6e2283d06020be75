//! Writes the run file of every program of the gallery into a folder:
//! `cargo run -p scenario --example run_files -- DIR`. With `--rust` before the folder it writes the
//! Rust of them all instead.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("name a folder")?.into();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/runs/programs.json");
    if folder == Path::new("--rust") {
        let shown = scenario::gallery(&fs::read_to_string(programs)?)?;
        let folder: PathBuf = std::env::args_os().nth(2).ok_or("name a folder")?.into();
        for (name, text) in scenario::rust_of(&shown)? {
            fs::write(folder.join(name), text)?;
        }
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    for shown in scenario::gallery(&fs::read_to_string(programs)?)? {
        let run = shown.film()?;
        let file = folder.join(format!("{}.json", run.name));
        fs::write(&file, run.to_json())?;
        println!("{}", file.display());
    }
    let grid = scenario::responsiveness()?;
    fs::write(folder.join("responsiveness.json"), grid.to_string())?;
    Ok(())
}
