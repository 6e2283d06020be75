#[proc_macro]
pub fn evil(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    std::process::exit(0)
}
