fn main() {
    std::fs::write("/tmp/hostile-build-script", "was here").unwrap();
}
