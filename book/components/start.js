/*
 * Loads the modules of the components that are on the page. mdBook's scripts are classic ones, so this asks for
 * the modules by import(). Where that fails (a book opened as a file, say), and
 * on the page for printing, the static pictures stay.
 */
(function () {
  if (/\/print(\.html)?$/.test(location.pathname)) {
    document.documentElement.classList.add('no-film');
    return;
  }
  const root = new URL(typeof path_to_root === 'string' ? path_to_root : '', document.baseURI);
  const names = ['recorded-run', 'loop-room', 'loop-map', 'turn-stepper', 'responsiveness-lab', 'watch-it-run'];
  for (const name of names.filter((tag) => document.querySelector(tag))) {
    import(new URL(`components/${name}.js`, root)).catch((error) => {
      document.documentElement.classList.add('no-film');
      console.warn(`${name}: ${error.message}`);
    });
  }
}());
