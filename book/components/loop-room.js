/*
 * <loop-room>: chooses a run for a <recorded-run>: one of the gallery, whose links stand in the element, or a run
 * file of the reader's own, picked or dropped. A bad file is refused by the name of its fault; the run shown stays.
 */
import { load } from './model.js';
import { el } from './recorded-run.js';

const LARGEST = 40e6; // bytes: about 300,000 handles, as much as a browser reads without a pause

class LoopRoom extends HTMLElement {
  connectedCallback() {
    if (this.live) return;
    const links = [...this.querySelectorAll('a[href$=".json"]')];
    this.run = el('recorded-run');
    this.said = el('p', { className: 'said', role: 'status' });
    this.chooser = el('select', {}, ...links.map((a, k) => el('option', { value: k, textContent: a.textContent })));
    this.chooser.onchange = () => {
      this.said.textContent = '';
      this.run.fetch(links[this.chooser.value].href);
    };
    const file = el('input', { type: 'file', accept: '.json,application/json' });
    file.onchange = () => {
      if (file.files[0]) this.take(file.files[0]);
      file.value = '';
    };
    this.live = el('div', { className: 'live' },
      el('div', { className: 'bar' }, el('label', {}, 'Program ', this.chooser), el('label', { className: 'own' }, 'Your own run file ', file)),
      this.said, this.run);
    this.live.ondragover = (event) => {
      event.preventDefault();
      this.classList.add('over');
    };
    this.live.ondragleave = () => this.classList.remove('over');
    this.live.ondrop = (event) => {
      event.preventDefault();
      this.classList.remove('over');
      if (event.dataTransfer.files[0]) this.take(event.dataTransfer.files[0]);
    };
    this.append(this.live);
    if (links.length) this.run.fetch(links[0].href);
  }

  async take(file) {
    try {
      if (file.size > LARGEST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB, and ${LARGEST / 1e6} MB is the most. Record a shorter run, with --turns`);
      const run = load(await file.text());
      this.run.show(run);
      this.said.textContent = `${file.name}: ${run.totals.turns} turns, ${run.totals.handles} handles. ${run.cut ?? ''}`;
    } catch (error) {
      this.said.textContent = `${file.name} cannot be shown: ${error.message}`;
    }
  }
}

customElements.define('loop-room', LoopRoom);
