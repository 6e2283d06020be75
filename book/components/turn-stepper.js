// <turn-stepper>: one turn of a recorded run, step by step: the picture, the numbers of the step, and its lines
// of `run_once`, lit in the listing.

import { load, ms } from './model.js';
import { button, fetched, h, keys, picture, STEPS } from './picture.js';

/** What a step computes, with the numbers of this turn. */
export function sums(run, i) {
  const { turn, step, index } = run.moment(i);
  const { heap, ccount, timeout, t, woke, events = [], due = [], ran = [] } = run.turns[turn] ?? {};
  const state = run.state(i);
  const ready = state.ready.length;
  const when = run.handles[state.heap[0]]?.when;
  const slept = timeout === null ? 'None' : `${timeout} ms`;
  const why = timeout === null ? '_ready and _scheduled are empty' : ready ? `len(_ready) = ${ready}`
    : when === undefined || (when > t && !timeout) ? '_stopping = True' : `when − time() = ${when} − ${t} = ${when - t}`;
  return [[],
    [`len(_scheduled): ${heap?.join(' → ')}`, `_timer_cancelled_count: ${ccount?.join(' → ')}`],
    [why, `timeout = ${slept}${when < t && !ready ? ', never below 0' : ''}`],
    [`select(${slept})`, `time(): ${t} → ${woke ?? 'never'}`],
    [`len(_ready): ${ready - events.length} → ${ready}`],
    [...due.map((id) => `${run.handles[id].when} ≤ ${woke}: ${run.label(id)}`), when > woke ? `${when} > ${woke}: ${run.label(state.heap[0])} stays` : '_scheduled is empty'],
    [`ntodo = ${ran.length}`, ran.length ? `handle ${index + 1} of ${ran.length}` : 'nothing to call'],
  ][step];
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
    const from = this.dataset.run;
    fetched(this, [from, from.replace(/[^/]*$/, 'listings.json')], (run, { run_once }) => {
      this.run = load(run);
      this.draw(run_once);
      this.go(this.run.at((this.getAttribute('turn') ?? 1) - 1));
    });
  }

  draw({ file, lines }) {
    const { run } = this;
    const by = (kind, way) => () => this.go(run.next(this.i, kind, way));
    const step = (k) => () => this.go(run.at(this.turn, k));
    this.tabs = STEPS.slice(1).map((name, k) => button([h('b', {}, `${k + 1}`), name], null, step(k + 1)));
    this.steps = stepsOf(lines);
    this.lines = lines.map((line) => h('span', { class: 'line' }, `${line}\n`));
    if (globalThis.hljs) this.lines.forEach((line) => { line.innerHTML = hljs.highlight('rust', line.textContent, true).value; });
    this.live.append(h('div', { class: 'steps', role: 'group', 'aria-label': 'the six steps' }, this.tabs),
      h('div', { class: 'bar' }, button('◀ turn', 'previous turn (p)', by('turn', -1)), button('◀', 'back (,)', by('moment', -1)),
        button('▶', 'on (.)', by('moment', 1)), button('turn ▶', 'next turn (n)', by('turn', 1)), this.where = h('span', { class: 'where' })),
      h('div', { class: 'told' }, this.said = h('p', { 'aria-live': 'polite' }), this.sums = h('ul', { 'aria-label': 'the numbers of this step' })),
      (this.picture = picture()).root,
      h('pre', {}, this.listing = h('code', { class: 'hljs', tabindex: 0, role: 'region', 'aria-label': `run_once in ${file}` }, this.lines)),
      h('p', { class: 'listing-caption' }, h('span', {}, file)),
      h('small', {}, 'Keys in here: . on, comma back, n and p a turn on or back, 1 to 6 a step, Home, End.'));
    keys(this, { '.': by('moment', 1), ',': by('moment', -1), n: by('turn', 1), p: by('turn', -1),
      Home: () => this.go(0), End: () => this.go(run.length - 1), ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((k) => [k, step(k)])) });
  }

  /** Shows moment i. All that is shown follows from it. */
  go(i) {
    const { run } = this;
    const { turn, step } = run.moment(i);
    const of = run.turns.length;
    this.turn = Math.min(turn, of - 1);
    this.dataset.moment = this.i = i;
    this.tabs.forEach((tab, k) => tab.setAttribute('aria-current', k + 1 === step ? 'step' : 'false'));
    this.where.textContent = turn === of ? 'the end' : `${step ? '' : 'before '}turn ${turn + 1} of ${of}, ${ms(run.state(i).t)}`;
    this.said.textContent = run.sentence(i);
    this.sums.replaceChildren(...sums(run, i).map((line) => h('li', {}, line)));
    this.picture.show(run, i);
    this.lines.forEach((line, at) => line.classList.toggle('lit', step > 0 && this.steps[at] === step));
    // The listing scrolls, the page does not.
    this.listing.scrollTop = this.lines[this.steps.indexOf(step || 1)].offsetTop - 12;
  }
});
