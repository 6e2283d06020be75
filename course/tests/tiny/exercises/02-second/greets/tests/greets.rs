#[test]
fn the_name_is_in_it() {
    assert!(greets::greet("Ada").contains("Ada"));
}
