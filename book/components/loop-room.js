/*
 * <loop-room>: chooses a run for a <recorded-run>: one of the gallery, whose links stand in the element, or a run
 * file of the reader's own, picked or dropped. A bad file is refused by the name of its fault; the run shown stays.
 */
import { load } from './model.js';
import { h } from './picture.js';
import './recorded-run.js';

const LARGEST = 40e6; // bytes: about 300,000 handles, as much as a browser reads without a pause

class LoopRoom extends HTMLElement {
  connectedCallback() {
    if (this.live) return;
    const links = [...this.querySelectorAll('a[href$=".json"]')];
    this.run = h('recorded-run');
    this.said = h('p', { class: 'said', role: 'status' });
    const chooser = h('select', { onchange: () => this.open(links[chooser.value].href) }, links.map((a, k) => h('option', { value: k }, a.textContent)));
    const file = h('input', { type: 'file', accept: '.json,application/json', onchange: () => {
      this.take(file.files[0]);
      file.value = '';
    } });
    this.live = h('div', { class: 'live',
      ondragover: (event) => {
        event.preventDefault();
        this.classList.add('over');
      },
      ondragleave: () => this.classList.remove('over'),
      ondrop: (event) => {
        event.preventDefault();
        this.classList.remove('over');
        this.take(event.dataTransfer.files[0]);
      } },
    h('div', { class: 'bar' }, h('label', {}, 'Program ', chooser), h('label', {}, 'Your own run file ', file)), this.said, this.run);
    this.append(this.live);
    if (links.length) this.open(links[0].href);
  }

  open(url) {
    this.said.textContent = 'A run file of your own can be dropped here as well.';
    this.run.fetch(url);
  }

  async take(file) {
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB, and ${LARGEST / 1e6} MB is the most. Record a shorter run.`);
      const run = load(await file.text());
      this.run.show(run);
      this.said.textContent = `${file.name}: ${run.totals.turns} turns, ${run.totals.handles} handles. ${run.cut ?? ''}`;
    } catch (error) {
      this.said.textContent = `${file.name} cannot be shown: ${error.message}`;
    }
  }
}

customElements.define('loop-room', LoopRoom);
