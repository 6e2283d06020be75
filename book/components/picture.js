// The loop drawn: its three containers, the hatch, the layers above, and the lanes between them.
// `loop-map.js` explains the parts, `turn-stepper.js` fills them with the handles of a recorded run.

import { ms } from './model.js';

/** Makes an element: `on…` are listeners, the rest attributes, those that are false or missing left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/** Fetches JSON files and hands them to `draw`; what goes wrong is said in the component's place. */
export async function fetched(host, urls, draw) {
  if (host.live) return;
  host.append(host.live = h('div', { class: 'live' }));
  try {
    draw(...await Promise.all(urls.map(async (url) => {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      return answer.json();
    })));
  } catch (error) {
    host.live.replaceChildren(h('p', { role: 'alert' }, `The recording cannot be shown. ${error.message}`));
  }
}

/** One handle: the letter and colour of its task, its name, and for a timer when it is due. */
export function chip(run, id, { state = '', when = true } = {}) {
  const { task, when: due } = run.handles[id];
  const said = { cancelled: 'cancelled', swept: 'swept', later: 'next turn', skipped: 'skipped' }[state];
  return h('li', { class: `chip ${task == null ? '' : `task-${task % 8}`} ${state}` },
    task != null && h('i', { 'aria-hidden': 'true' }, run.tasks[task][0].toUpperCase()),
    run.label(id), when && due != null && h('small', {}, ms(due)), said && h('small', {}, said));
}

// A part's name is its place in the stylesheet's grid. Boxes: CPython's name, Rust's, what it is.
const BOXES = {
  task: ['Task, Future', '', 'they use call_soon and call_later, and no more'],
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
  'due scheduled ready', 'call ready callback'].map((names) => names.split(' '));

/** Draws the loop with parts of a tag; buttons hold nothing. Returns `root`, `parts`, `light(names)`, `show(run, i)`. */
export function picture(tag = 'div') {
  const root = h('div', { class: 'loop-picture' }, h('div', { class: 'frame', 'aria-hidden': 'true' }, h('span', {}, 'the loop: one thread')));
  const parts = new Map();
  const holds = {};
  const part = (name, kind, ...inside) => {
    const element = h(tag, { class: `part ${kind}`, style: `grid-area: ${{ sweep: 'scheduled', sleep: 'selector' }[name] ?? name}`, type: tag === 'button' && tag }, ...inside);
    parts.set(name, element);
    root.append(element);
  };
  for (const [name, [title, rust, note]] of Object.entries(BOXES)) {
    if (tag !== 'button' && (rust || name === 'callback')) holds[name] = h('ul', { 'aria-label': `in ${title}` });
    part(name, `box ${name}`, h(rust ? 'code' : 'strong', {}, title), rust && h('small', {}, `Rust: ${rust}`),
      holds[name] ?? h('span', { class: 'note' }, note));
  }
  for (const [name, [label, step, kind]] of Object.entries(LANES)) {
    part(name, `${kind ?? 'lane'} ${name}`, h('span', { class: 'label' }, step && h('b', {}, String(step)), h('code', {}, label)));
  }
  const light = (names) => parts.forEach((element, name) => element.classList.toggle('lit', names.includes(name)));

  /** The containers once moment i of the run has done its part. */
  function show(run, i) {
    const { turn, step, index, t, until } = run.moment(i);
    const state = run.state(i);
    const { swept = [], ran = [] } = run.turns[turn] ?? {};
    light(AT_WORK[step]);
    const fill = (name, ids, draw, most) => holds[name].replaceChildren(...ids.slice(0, most).map(draw),
      ids.length > most ? h('li', { class: 'more' }, `and ${ids.length - most} more`) : '');
    const how = (id) => ({ state: state.cancelled.has(id) ? 'cancelled' : state.moved.includes(id) ? 'moved' : '' });
    const gone = step === 1 ? swept : [];
    fill('scheduled', [...gone, ...state.heap], (id) => chip(run, id, gone.includes(id) ? { state: 'swept' } : how(id)), 5);
    // In step 6, what stands behind the mark waits for the next turn.
    const left = step === 6 ? ran.length - index - 1 : Infinity;
    fill('ready', state.ready, (id, at) => chip(run, id, { ...(at < left ? how(id) : { state: 'later' }), when: false }), 10);
    if (step === 6) holds.ready.insertBefore(h('li', { class: 'mark' }, 'ntodo'), holds.ready.children[left] ?? null);
    fill('selector', state.readers, (id) => h('li', { class: 'chip' }, run.readers[id].name), 4);
    if (state.asleep) holds.selector.append(h('li', { class: 'asleep' }, `asleep, ${ms(t)} to ${ms(until)}`));
    fill('callback', state.running == null ? [] : [state.running],
      (id) => chip(run, id, { when: false, state: ran[index].skipped && 'skipped' }), 1);
    if (step === 6 && until > t) holds.callback.append(h('li', { class: 'busy' }, `busy, ${ms(t)} to ${ms(until)}`));
  }
  return { root, parts, light, show };
}
