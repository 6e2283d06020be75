use the_loop::{Outcome, run};

fn main() -> Outcome<()> {
    run(async {
        Ok(())
    })
}
