//! Opens an account with the first argument and does all the others at once: `-30` withdraws, `+30`
//! pays in.

use std::process::ExitCode;
use std::rc::Rc;

use six_steps::{EventLoop, VirtualSelector};
use the_race::Account;
use wakeup::{Outcome, Tasks, gather};

const A_MILLION: u32 = 1_000_000;

async fn act(account: Rc<Account>, action: String) -> Outcome<String> {
    let amount: u32 = action[1..].parse()?;
    Ok(if action.starts_with('-') {
        let taken = account.withdraw(amount).await?;
        format!("{action}: {}", if taken { "taken out" } else { "refused" })
    } else {
        account.pay_in(amount).await?;
        format!("{action}: paid in")
    })
}

fn run(start: u32, actions: Vec<String>) -> Outcome<()> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let account = Rc::new(Account::with(start));
    let same = Rc::clone(&account);
    let all = async move { gather(actions.into_iter().map(move |a| act(same.clone(), a)))?.await };
    for line in event_loop.run_until_complete(all)? {
        println!("{line}");
    }
    println!("balance: {}", account.balance());
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let amount = |text: &str| text.parse().ok().filter(|&amount| amount <= A_MILLION);
    let start = arguments.next().and_then(|start| amount(&start));
    let actions: Vec<String> = arguments.collect();
    let is_action = |a: &String| a.starts_with(['+', '-']) && amount(&a[1..]).is_some();
    let (Some(start), true) = (start, actions.iter().all(is_action)) else {
        eprintln!(
            "give the balance, then what is done at once, such as: 100 -80 +20; up to a million each"
        );
        return ExitCode::FAILURE;
    };
    match run(start, actions) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the evening ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
