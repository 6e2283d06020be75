#[test]
fn two_and_three_are_five() {
    let sum = adds::add(2, 3);
    assert!(
        sum == 5,
        "\nthe sum of 2 and 3 should be\n    5\nbut came out as\n    {sum}\n\n\
         The rule: A sum has all of both.\nRead again: chapter 1, \"Sums\"\n"
    );
}

#[test]
fn nothing_adds_nothing() {
    assert_eq!(adds::add(7, 0), 7);
}
