// What all components use; and the loop drawn: `loop-map.js` explains its parts, `turn-stepper.js` fills them.

import { ms } from './model.js';

/** Makes an element: `on…` are listeners, the rest attributes; what is false or missing is left out. */
export function h(tag, attributes = {}, ...children) {
  const given = (value) => value != null && value !== false;
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (given(value)) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(given));
  return element;
}

export const button = (label, title, onclick) => h('button', { type: 'button', title, 'aria-label': title, onclick }, label);

/** What keys do while the focus is inside an element. Space stays a button's own. */
export function keys(host, actions) {
  host.addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey, target } = event;
    if (!actions[key] || ctrlKey || altKey || metaKey || (key === ' ' && target.closest('button'))) return;
    event.preventDefault();
    event.stopPropagation();
    actions[key]();
  });
}

/** Fetches JSON files and hands them to `draw`; what goes wrong is said in the component's place. */
export async function fetched(host, urls, draw) {
  if (host.live) return;
  host.append(host.live = h('div', { class: 'live' }));
  try {
    draw(...await Promise.all(urls.map(async (url) => (await fetch(new URL(url, document.baseURI))).json())));
  } catch (error) {
    host.live.replaceChildren(h('p', { role: 'alert' }, `The recording cannot be shown: ${error.message}`));
  }
}

/** A mark on an axis, or with a width a stretch of it; both in percent. */
export const bar = (kind, left, width, text = '') => h('i', { class: kind, style: `left: ${left}%${width ? `; width: ${width}%` : ''}` }, text);

/** One handle: its name, the colour of its task, and for a timer when it is due. */
export function chip(run, id, { state = '', when = true } = {}) {
  const { task, when: due } = run.handles[id];
  const said = state === 'later' ? 'next turn' : state !== 'moved' && state;
  return h('li', { class: `chip task-${task % 8} ${state}` },
    run.label(id), when && due != null && h('small', {}, ms(due)), said && h('small', {}, said));
}

// A part's name is its place in the stylesheet's grid. Boxes: CPython's name, Rust's, what it is.
const BOXES = {
  task: ['Task, Future', '', 'use call_soon and call_later, and no more'],
  program: ['transports', '', 'sockets, pipes'],
  thread: ['other threads', '', 'executors, wakers'],
  scheduled: ['_scheduled', 'core.scheduled', 'a heap of timers, the nearest deadline first'],
  selector: ['_selector', 'core.selector', 'epoll or kqueue: the only place that sleeps'],
  hatch: ['_ssock', 'core.hatch', 'the hatch: what other threads post'],
  ready: ['_ready', 'core.ready', 'a deque of handles: first in, first out'],
  callback: ['callback', '', 'one at a time, each to its end'],
};
// Lanes: the label, the step that uses it, how it lies.
const LANES = {
  soon: ['call_soon'], later: ['call_later'], reader: ['add_reader'], threadsafe: ['call_soon_\u200bthreadsafe'],
  sweep: ['sweep', 1, 'inner'], timeout: ['timeout', 2, 'lane across'], sleep: ['sleep', 3, 'inner'],
  readable: ['readable', 4], posted: ['posted', 4], due: ['due', 5], call: ['call', 6],
};
/** The steps, by the names of `Step` in Rust, and the parts at work in each. */
export const STEPS = ['', 'sweep', 'timeout', 'select', 'events', 'timers', 'run'];
const AT_WORK = ['', 'scheduled sweep', 'timeout scheduled ready', 'selector sleep', 'readable posted ready',
  'due scheduled ready', 'call ready callback'];

/** Draws the loop with parts of a tag; buttons hold nothing. Returns `root`, `parts`, `light(names)`, `show(run, i)`. */
export function picture(tag = 'div') {
  const root = h('div', { class: 'loop-picture' }, h('div', { class: 'frame', 'aria-hidden': 'true' }, h('span', {}, 'the loop: one thread')));
  const parts = new Map();
  const holds = {};
  const part = (name, kind, ...inside) => {
    parts.set(name, h(tag, { class: `part ${kind} ${name}`, style: `grid-area: ${{ sweep: 'scheduled', sleep: 'selector' }[name] ?? name}`, type: tag === 'button' && tag }, inside));
  };
  for (const [name, [title, rust, note]] of Object.entries(BOXES)) {
    if (tag !== 'button' && (rust || name === 'callback')) holds[name] = h('ul', { 'aria-label': `in ${title}` });
    part(name, 'box', h(rust ? 'code' : 'strong', {}, title), rust && h('small', {}, `Rust: ${rust}`), holds[name] ?? h('small', {}, note));
  }
  for (const [name, [label, step, kind]] of Object.entries(LANES)) {
    part(name, kind ?? 'lane', h('span', {}, step && h('b', {}, `${step}`), h('code', {}, label)));
  }
  root.append(...parts.values());
  const light = (names) => parts.forEach((element, name) => element.classList.toggle('lit', names.split(' ').includes(name)));

  /** The containers once moment i of the run has done its part. */
  function show(run, i) {
    const { turn, step, index, t, until } = run.moment(i);
    const { ready, heap, readers, running, asleep, cancelled, moved } = run.state(i);
    const { swept = [], ran = [] } = run.turns[turn] ?? {};
    light(AT_WORK[step]);
    const fill = (name, ids, draw, most) => holds[name].replaceChildren(...ids.slice(0, most).map(draw),
      ids.length > most ? h('li', {}, `and ${ids.length - most} more`) : '');
    const how = (id) => (cancelled.has(id) ? 'cancelled' : moved.includes(id) ? 'moved' : '');
    const gone = step === 1 ? swept : [];
    fill('scheduled', [...gone, ...heap], (id) => chip(run, id, { state: gone.includes(id) ? 'swept' : how(id) }), 5);
    // In step 6, what stands behind the mark waits for the next turn.
    const left = step === 6 ? ran.length - index - 1 : Infinity;
    fill('ready', ready, (id, at) => chip(run, id, { state: at < left ? how(id) : 'later', when: false }), 10);
    if (step === 6) holds.ready.insertBefore(h('li', { class: 'mark' }, 'ntodo'), holds.ready.children[left] ?? null);
    fill('selector', readers, (id) => h('li', { class: 'chip' }, run.readers[id].name), 4);
    const span = (kind) => h('li', { class: kind }, `${kind}, ${ms(t)} to ${ms(until)}`);
    if (asleep) holds.selector.append(span('asleep'));
    fill('callback', running == null ? [] : [running], (id) => chip(run, id, { when: false, state: ran[index].skipped && 'skipped' }), 1);
    if (step === 6 && until > t) holds.callback.append(span('busy'));
  }
  return { root, parts, light, show };
}
