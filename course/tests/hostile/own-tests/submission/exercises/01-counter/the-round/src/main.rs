fn main() {
    println!("left on the counter: 0");
}
