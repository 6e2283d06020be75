// <loop-map>: the picture of the loop; hover, focus or touch explains a part and leads to its listing. What is said
// of a part stands in loop-map.json: what it does, where CPython or Rust has it, the heading over its listing.

import { fetched, h, keys, picture } from './picture.js';

customElements.define('loop-map', class extends HTMLElement {
  connectedCallback() {
    fetched(this, [new URL('loop-map.json', import.meta.url)], (said) => {
      const { root, parts, light } = picture('button');
      const about = h('div', { class: 'about', 'aria-live': 'polite' });
      const order = [...parts.keys()];
      const explain = (name) => {
        const { text, where, listing } = said[name];
        const title = parts.get(name).querySelector('code, strong').textContent;
        light(this.dataset.part = name);
        parts.forEach((part, key) => part.setAttribute('tabindex', key === name ? 0 : -1));
        about.replaceChildren(h('p', {}, h('strong', {}, title), ` ${text}`), h('p', {}, h('code', {}, where), ' ',
          h('a', { href: new URL(`../${listing}`, import.meta.url) }, `The listing: ${title}`)));
      };
      parts.forEach((part, name) => ['pointerenter', 'focus', 'click'].forEach((kind) => part.addEventListener(kind, () => explain(name))));
      // One stop for the Tab key; the arrows go round the parts.
      const by = (way) => () => parts.get(order.at((order.indexOf(this.dataset.part) + way) % order.length)).focus();
      keys(root, { ArrowRight: by(1), ArrowDown: by(1), ArrowLeft: by(-1), ArrowUp: by(-1) });
      root.setAttribute('role', 'group');
      root.setAttribute('aria-label', 'The parts of the loop');
      this.live.append(root, about, h('small', {}, 'Keys in here: the arrows go round the parts, Tab to the listing.'));
      explain('ready');
    });
  }
});
