#[test]
fn a_full_queue_is_emptied() {
    let mut queue = vec![1, 2, 3];
    assert_eq!(drains::drain(&mut queue), 3);
    assert!(queue.is_empty());
}
