//! Where an address of a built page leads: out of the book, nowhere, or to a file and a fragment.

use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use url::Url;

/// Stands for the folder of the built book; no real site can have this name.
static SITE: LazyLock<Url> =
    LazyLock::new(|| Url::parse("http://book.invalid/").expect("the address is fixed"));

/// Where an address leads.
#[derive(Debug, PartialEq)]
pub(crate) enum Address {
    /// To another site, or to a scheme such as `mailto:`.
    Outside,
    /// The data lies in the address itself.
    Data,
    /// Into the book: the file from its folder, and the fragment where there is one.
    Inside {
        file: String,
        fragment: Option<String>,
    },
    /// It cannot be read as an address, or it runs a script.
    Bad,
}

/// Reads `address` as it stands in the built file `from` (a path with `/` from the book's folder).
pub(crate) fn resolve(from: &str, address: &str) -> Address {
    let address = address.trim();
    let Ok(url) = SITE.join(from).and_then(|base| base.join(address)) else {
        return Address::Bad;
    };
    match url.scheme() {
        "data" => return Address::Data,
        "javascript" => return Address::Bad,
        _ => {}
    }
    if url.origin() != SITE.origin() {
        return Address::Outside;
    }
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut file = decode(url.path().trim_start_matches('/'));
    if file.is_empty() || file.ends_with('/') {
        file.push_str("index.html");
    }
    Address::Inside {
        file,
        fragment: url.fragment().map(decode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(file: &str, fragment: Option<&str>) -> Address {
        Address::Inside {
            file: file.to_owned(),
            fragment: fragment.map(str::to_owned),
        }
    }

    #[test]
    fn addresses_are_read_from_their_page() {
        let from = "03-six-steps/index.html";
        assert_eq!(resolve(from, "#turn"), inside(from, Some("turn")));
        assert_eq!(
            resolve(from, "../preface.html?a=1"),
            inside("preface.html", None)
        );
        assert_eq!(
            resolve(from, "a%20b.svg"),
            inside("03-six-steps/a b.svg", None)
        );
        assert_eq!(resolve(from, ".."), inside("index.html", None));
        assert_eq!(resolve(from, "/print.html"), inside("print.html", None));
    }

    #[test]
    fn what_leaves_the_book_is_told_apart() {
        assert_eq!(
            resolve("a.html", "https://example.org/a.js"),
            Address::Outside
        );
        assert_eq!(resolve("a.html", "//example.org/a.js"), Address::Outside);
        assert_eq!(resolve("a.html", "mailto:a@example.org"), Address::Outside);
        assert_eq!(
            resolve("a.html", "data:image/png;base64,AA=="),
            Address::Data
        );
        assert_eq!(resolve("a.html", "javascript:alert(1)"), Address::Bad);
        assert_eq!(resolve("a.html", "https://"), Address::Bad);
    }
}
