//! `cargo book`: builds the book, serves it on 127.0.0.1 and reloads the page on every change.
//! Each build goes into a folder of its own, so that a build that fails leaves the last good one up.

use std::fs;
use std::io::{ErrorKind, IsTerminal};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use tokio::net::TcpListener;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_livereload::{LiveReloadLayer, Reloader};

use crate::watch::{self, Watch};
use crate::{ServeArgs, book};

/// Builds, serves and rebuilds until Ctrl-C.
pub(crate) fn run(args: &ServeArgs) -> Result<()> {
    let root = book::find_root()?;
    let config = book::read_config(&root)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the server cannot start")?;
    runtime.block_on(async {
        // The port first: whoever must choose another one should not wait for a build.
        let listener = listen(args.port).await?;
        let address = listener.local_addr().context("the server has no address")?;
        let builds = tempfile::Builder::new()
            .prefix("cargo-book-")
            .tempdir()
            .context("no folder for the built pages; is the disk full?")?;
        let shelf = Arc::new(Shelf::new(root.clone(), builds.path()));
        // The watch starts before the build, so that no change falls between the two.
        let watch = watch::start(&root, &config)?;
        shelf.print()?;

        let reload = LiveReloadLayer::new();
        let reloader = reload.reloader();
        let app = router(&shelf).layer(reload);
        let builder = Arc::clone(&shelf);
        std::thread::spawn(move || rebuild(&builder, &watch, &reloader));

        println!("The book is served at http://{address} until Ctrl-C.");
        if !args.no_open {
            open(address);
        }
        let ended = tokio::select! {
            served = axum::serve(listener, app).into_future() => served.context("the server failed"),
            // Open pages hold their connection for the reload, so nobody waits for them.
            () = stopped() => Ok(()),
        };
        // A build under way would write into the folder while it is removed.
        let _no_more = shelf.building.lock();
        drop(builds);
        println!("Stopped.");
        ended
    })
}

async fn listen(port: u16) -> Result<TcpListener> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow::anyhow!(
            "port {port} is in use, perhaps by another `cargo book`; stop that one or choose \
             another port: cargo book serve --port {}",
            port.checked_add(1).unwrap_or(3000)
        ),
        ErrorKind::PermissionDenied => anyhow::anyhow!(
            "this user may not serve on port {port}; choose another: cargo book serve --port 3000"
        ),
        _ => anyhow::Error::new(error).context(format!("cannot serve on {address}")),
    })
}

/// Ends on Ctrl-C, and on the signal that process managers send.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without a handler the system's own ends the process, which is as good.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn router(shelf: &Arc<Shelf>) -> Router {
    let shelf = Arc::clone(shelf);
    let serve = move |mut request: Request| {
        // A page rebuilt within a second keeps its date: a conditional request would lie.
        request.headers_mut().remove(header::IF_MODIFIED_SINCE);
        let folder = shelf.current();
        async move {
            let missing = ServeFile::new(folder.join("404.html"));
            match ServeDir::new(&folder)
                .not_found_service(missing)
                .try_call(request)
                .await
            {
                Ok(response) => response.into_response(),
                Err(error) => {
                    let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
                    (status, format!("this file cannot be read: {error}\n")).into_response()
                }
            }
        }
    };
    Router::new()
        .fallback(serve)
        .layer(SetResponseHeaderLayer::overriding(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
}

/// The builds of one run of the server, and which of them is shown.
struct Shelf {
    root: PathBuf,
    /// Holds a folder for each build.
    builds: PathBuf,
    /// The number of the build that is shown, and its folder.
    current: RwLock<(usize, PathBuf)>,
    /// Held while a build runs.
    building: Mutex<()>,
}

impl Shelf {
    fn new(root: PathBuf, builds: &Path) -> Self {
        let current = RwLock::new((0, builds.join("0")));
        Self {
            root,
            builds: builds.to_owned(),
            current,
            building: Mutex::new(()),
        }
    }

    fn current(&self) -> PathBuf {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .clone()
    }

    /// Builds the book into a new folder and shows that one from now on.
    fn print(&self) -> Result<()> {
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Instant::now();
        let (number, last) = self
            .current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let next = self.builds.join((number + 1).to_string());
        let printed = book::read_config(&self.root).and_then(|mut config| {
            // The page for what is not found must find its style from the root.
            config.set("output.html.site-url", "/")?;
            // Nobody else sees this book: it has the reader's own measurements.
            book::print(&self.root, config, &next, true)
        });
        if let Err(error) = printed {
            remove(&next);
            return Err(error);
        }
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (number + 1, next);
        remove(&last);
        println!("Built in {:.1} s.", started.elapsed().as_secs_f64());
        Ok(())
    }
}

/// What cannot be removed now goes with the folder of all builds at the end.
fn remove(folder: &Path) {
    let _: std::io::Result<()> = fs::remove_dir_all(folder);
}

fn rebuild(shelf: &Shelf, watch: &Watch, reloader: &Reloader) {
    while let Some(changed) = watch.next() {
        let changed = changed.strip_prefix(&shelf.root).unwrap_or(&changed);
        println!("Changed: {}", changed.display());
        match shelf.print() {
            Ok(()) => reloader.reload(),
            Err(error) => {
                crate::print_error(&error);
                eprintln!("The last good book stays up; save again once it is mended.");
            }
        }
    }
}

/// Opens the browser where there is one: not over a pipe, not on a machine without a screen.
fn open(address: SocketAddr) {
    let screen = !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    if screen && std::io::stdout().is_terminal() {
        // Who has no browser still has the address on the terminal.
        let _: Result<(), opener::OpenError> = opener::open_browser(format!("http://{address}"));
    }
}
