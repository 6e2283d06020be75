//! An account under several withdrawals and payments at once: nothing is lost, nothing appears.

use std::rc::Rc;

use lesson::{Rule, virtual_loop};
use the_race::Account;
use the_race::bank::Bank;
use wakeup::{Outcome, Tasks, create_task, gather, sleep};

const LOST: Rule = Rule {
    says: "At each await others run, and what you read before it may be old after it. Read, decide and write in one step, after the await.",
    reread: "chapter 6, \"Between two awaits\"",
};
const BELOW_ZERO: Rule = Rule {
    says: "A decision is as old as the value it rests on. Whether there is enough is decided in the step that takes it.",
    reread: "chapter 6, \"Between two awaits\"",
};
const ASKED: Rule = Rule {
    says: "The await stays where it is: the bank is asked about a withdrawal that the account can pay, and what it or a cancellation refuses changes nothing.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};

fn run<T: Clone + 'static>(
    account: &Rc<Account>,
    main: impl AsyncFnOnce(Rc<Account>) -> Outcome<T> + 'static,
) -> T {
    let (event_loop, _) = virtual_loop();
    let account = Rc::clone(account);
    let outcome = event_loop.run_until_complete(async move { main(account).await });
    event_loop.close().unwrap();
    match outcome {
        Ok(value) => value,
        Err(exception) => LOST.broken(format_args!("the program ended with: {exception}")),
    }
}

fn withdraw_at_once(account: &Rc<Account>, amounts: &[u32]) -> Vec<bool> {
    let amounts = amounts.to_vec();
    run(account, async move |account| {
        let each = move |amount| {
            let account = Rc::clone(&account);
            async move { account.withdraw(amount).await }
        };
        gather(amounts.into_iter().map(each))?.await
    })
}

#[test]
fn two_withdrawals_at_once_both_count() {
    let account = Rc::new(Account::with(100));
    let taken = withdraw_at_once(&account, &[30, 20]);
    LOST.same("whether they were taken out", vec![true, true], taken);
    LOST.same("the balance after 100 - 30 - 20", 50, account.balance());
    LOST.same("how often the bank was asked", 2, account.bank().asked());
    lesson::passed();
}

#[test]
fn of_two_that_are_too_much_together_one_is_refused() {
    let account = Rc::new(Account::with(100));
    let taken = withdraw_at_once(&account, &[80, 70, 20]);
    BELOW_ZERO.same(
        "whether 80, 70 and 20 were taken out of 100",
        vec![true, false, true],
        taken,
    );
    BELOW_ZERO.same("the balance", 0, account.balance());
    lesson::passed();
}

#[test]
fn payments_at_once_all_count() {
    let account = Rc::new(Account::with(5));
    let (first, second) = run(&account, async |account| {
        let other = Rc::clone(&account);
        let first = create_task(async move { account.pay_in(10).await })?;
        let second = create_task(async move { other.pay_in(7).await })?;
        Ok((first.await?, second.await?))
    });
    LOST.same("the balance after 5 + 10 + 7", 22, account.balance());
    LOST.same("what the two payments said", (15, 22), (first, second));
    lesson::passed();
}

#[test]
fn a_payment_during_a_withdrawal_is_not_lost() {
    let account = Rc::new(Account::with(50));
    let taken = run(&account, async |account| {
        let other = Rc::clone(&account);
        let withdrawal = create_task(async move { other.withdraw(40).await })?;
        sleep(Bank::ANSWER / 2).await?;
        account.pay_in(100).await?;
        withdrawal.await
    });
    LOST.same("whether 40 were taken out", true, taken);
    LOST.same("the balance after 50 + 100 - 40", 110, account.balance());
    lesson::passed();
}

#[test]
fn what_is_refused_changes_nothing() {
    let account = Rc::new(Account::with(700));
    let taken = withdraw_at_once(&account, &[666, 701]);
    ASKED.same(
        "whether the bank's no and too much were taken out",
        vec![false, false],
        taken,
    );
    ASKED.same("the balance", 700, account.balance());
    ASKED.same(
        "how often the bank was asked: about the 666 alone",
        1,
        account.bank().asked(),
    );
    let taken = withdraw_at_once(&account, &[700]);
    ASKED.same("whether all that there is was taken out", vec![true], taken);
    ASKED.same("the balance", 0, account.balance());
    lesson::passed();
}

#[test]
fn a_cancelled_withdrawal_takes_nothing() {
    let account = Rc::new(Account::with(100));
    let cancelled = run(&account, async |account| {
        let other = Rc::clone(&account);
        let withdrawal = create_task(async move { other.withdraw(60).await })?;
        sleep(Bank::ANSWER / 2).await?;
        withdrawal.cancel();
        Ok(matches!(withdrawal.await, Err(exception) if exception.is_cancelled()))
    });
    ASKED.holds(cancelled, "the withdrawal should end as cancelled");
    ASKED.same(
        "the balance after a cancelled withdrawal",
        100,
        account.balance(),
    );
    let taken = withdraw_at_once(&account, &[100]);
    ASKED.same(
        "whether the whole balance can be taken out then",
        vec![true],
        taken,
    );
    lesson::passed();
}

#[test]
fn a_payment_counts_once_it_is_in_the_journal() {
    let account = Rc::new(Account::with(1));
    let before = run(&account, async |account| {
        let other = Rc::clone(&account);
        let payment = create_task(async move { other.pay_in(9).await })?;
        wakeup::yield_now().await?;
        let before = account.balance();
        payment.await?;
        Ok(before)
    });
    ASKED.same("the balance while the journal is being written", 1, before);
    ASKED.same("the balance after it", 10, account.balance());
    lesson::passed();
}
