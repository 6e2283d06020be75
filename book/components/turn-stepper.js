// <turn-stepper>: one turn of a recorded run, step by step: the picture, the numbers of the step, and
// its lines of `run_once`, lit in the listing.

import { load, ms } from './model.js';
import { fetched, h, picture, STEPS } from './picture.js';

/** What a step computes, with the numbers of this turn. */
export function sums(run, i) {
  const { turn, step, index } = run.moment(i);
  const { heap, ccount, timeout, t, woke, events = [], due = [], ran = [] } = run.turns[turn] ?? {};
  const state = run.state(i);
  const next = state.heap[0];
  const when = next === undefined ? null : run.handles[next].when;
  const slept = timeout === null ? 'None' : timeout === undefined ? '' : ms(timeout);
  switch (step) {
    case 1: return [`len(_scheduled): ${heap.join(' → ')}`, `_timer_cancelled_count: ${ccount.join(' → ')}`];
    case 2:
      if (timeout === null) return ['_ready and _scheduled are empty', 'timeout = None'];
      if (state.ready.length) return [`len(_ready) = ${state.ready.length}`, 'timeout = 0 ms'];
      if (when === null || (when > t && !timeout)) return ['_stopping = True', 'timeout = 0 ms'];
      return [`when − time() = ${when} − ${t} = ${ms(when - t)}`, `timeout = ${slept}${when < t ? ', never below 0' : ''}`];
    case 3: return [`select(${slept})`, `time(): ${ms(t)} → ${woke === undefined ? 'never' : ms(woke)}`];
    case 4: return [`len(_ready): ${state.ready.length - events.length} → ${state.ready.length}`];
    case 5: return [...due.slice(0, 3).map((id) => `${run.handles[id].when} ≤ ${woke}: ${run.label(id)} is due`),
      when === null ? '_scheduled is empty now' : `${when} > ${woke}: ${run.label(next)} stays`];
    case 6: return [`ntodo = ${ran.length}`, ...(ran.length ? [`handle ${index + 1} of ${ran.length}`] : [])];
    default: return [];
  }
}

/** The step of each line of `run_once`: from its comment "Step N:" to the next one; 0 outside of them. */
export function stepsOf(lines) {
  let step = 0;
  const end = lines.findLastIndex((line) => line.includes('turn_ended'));
  return lines.map((line, at) => {
    step = +(/\/\/ Step (\d):/.exec(line)?.[1] ?? step);
    return at < end && line.trim() ? step : 0;
  });
}

customElements.define('turn-stepper', class extends HTMLElement {
  connectedCallback() {
    const from = new URL(this.dataset.run, document.baseURI);
    fetched(this, [from, new URL('listings.json', from)], (run, listings) => {
      this.run = load(run);
      this.draw(listings.run_once);
      this.go(this.run.at((this.getAttribute('turn') ?? 1) - 1));
    });
  }

  draw({ file, lines }) {
    this.picture = picture();
    const by = (label, title, kind, way) => h('button', { type: 'button', title, 'aria-label': title, onclick: () => this.go(this.run.next(this.i, kind, way)) }, label);
    this.tabs = STEPS.slice(1).map((name, k) => h('button', { type: 'button', onclick: () => this.go(this.run.at(this.moment.turn, k + 1)) },
      h('b', {}, String(k + 1)), name));
    this.where = h('output', { class: 'where' });
    this.said = h('p', { 'aria-live': 'polite' });
    this.sums = h('ul', { 'aria-label': 'the numbers of this step' });
    this.steps = stepsOf(lines);
    this.lines = lines.map((line) => {
      const element = h('span', { class: 'line' }, `${line}\n`);
      if (globalThis.hljs && line.trim()) element.innerHTML = `${hljs.highlight('rust', line, true).value}\n`;
      return element;
    });
    this.listing = h('code', { class: 'hljs', tabindex: 0, role: 'region', 'aria-label': `run_once in ${file}` }, this.lines);
    this.addEventListener('keydown', (event) => this.key(event));
    this.live.append(h('div', { class: 'steps', role: 'group', 'aria-label': 'the six steps' }, this.tabs),
      h('div', { class: 'bar' }, by('◀ turn', 'previous turn (p)', 'turn', -1), by('◀', 'back (,)', 'moment', -1),
        by('▶', 'on (.)', 'moment', 1), by('turn ▶', 'next turn (n)', 'turn', 1), this.where),
      h('div', { class: 'told' }, this.said, this.sums), this.picture.root,
      h('pre', {}, this.listing), h('p', { class: 'listing-caption' }, h('span', {}, file)),
      h('details', { class: 'keys' }, h('summary', {}, 'Keys'), h('p', {},
        'While the focus is in here: . on, comma back, n the next turn, p the previous, 1 to 6 a step, Home and End.')));
  }

  /** Shows moment i. All that is shown follows from it. */
  go(i) {
    const { turn, step } = this.moment = this.run.moment(i);
    this.dataset.moment = this.i = i;
    this.tabs.forEach((tab, k) => tab.setAttribute('aria-current', k + 1 === step ? 'step' : 'false'));
    const of = this.run.turns.length;
    this.where.textContent = turn === of ? 'the end' : `${step ? '' : 'before '}turn ${turn + 1} of ${of}, ${ms(this.run.state(i).t)}`;
    this.said.textContent = this.run.sentence(i);
    this.sums.replaceChildren(...sums(this.run, i).map((line) => h('li', {}, line)));
    this.picture.show(this.run, i);
    this.lines.forEach((line, at) => line.classList.toggle('lit', step > 0 && this.steps[at] === step));
    // The listing scrolls, the page does not.
    const lit = this.lines[this.steps.indexOf(step || 1)];
    this.listing.scrollTop = lit.offsetTop - this.listing.offsetTop - 12;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { run, i, moment } = this;
    const by = { '.': ['moment', 1], ',': ['moment', -1], n: ['turn', 1], p: ['turn', -1] }[event.key];
    const to = by ? run.next(i, ...by) : { Home: 0, End: run.length - 1 }[event.key]
      ?? (/^[1-6]$/.test(event.key) ? run.at(moment.turn, +event.key) : null);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(to);
  }
});
