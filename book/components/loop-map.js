// <loop-map>: the picture of the loop; hover, focus or touch explains a part and leads to its listing.

import { h, keys, picture } from './picture.js';

// What a part does, where CPython has it (v3.13.0) or Rust, and the heading over its listing.
const [BOXES, TURN] = ['02-containers', '03-six-steps'].map((chapter) => (heading) => `${chapter}/index.html#${heading}`);
const [READY, HEAP, READERS, HATCH, CALL] = [BOXES('where-do-handles-wait-for-their-turn'), BOXES('where-do-timers-wait'),
  TURN('how-do-descriptors-become-handles'), TURN('how-does-another-thread-get-in'), TURN('when-do-callbacks-run')];
const ABOUT = {
  task: ['stand on the loop, and it does not know them: a step of a task is a callback like any other.', 'wakeup::Task', '05-wakeup/index.html#what-is-one-step-of-a-task'],
  program: ['give the loop a descriptor to watch, and a callback with it.', 'selector_events.py', READERS],
  thread: ['may not touch the containers. They have the hatch and nothing else of the loop.', 'Hatch: Send', '06-blocking/index.html#out-and-back'],
  soon: ['puts a handle at the end of _ready.', 'base_events.py:819', READY],
  later: ['puts a timer on the heap. Its deadline is now plus the delay.', 'base_events.py:801', HEAP],
  reader: ['registers a descriptor, with the callback for when it is readable.', 'selector_events.py:344', READERS],
  threadsafe: ['is call_soon and a ring that ends the sleep in select.', 'base_events.py:872', HATCH],
  scheduled: ['is a heap by deadline. A cancelled timer stays on it, and _timer_cancelled_count counts it.', 'base_events.py:425', HEAP],
  selector: ['sleeps, and nothing else does, until a descriptor, a deadline or the hatch ends it.', 'selector_events.py:63', BOXES('who-knows-the-time')],
  hatch: ['and _csock are the self-pipe. Here the hatch is a queue under a mutex, a flag and a ring.', 'selector_events.py:141', HATCH],
  ready: ['is a deque. All that runs has been in it. A cancelled handle stays, and is skipped when it comes up.', 'base_events.py:424', READY],
  callback: ['runs in step 6. Meanwhile no timer is collected, and no descriptor looked at.', 'events.py:87', CALL],
  sweep: ['takes cancelled timers off the heap, so that none of them cuts the sleep short.', 'base_events.py:1955', BOXES('what-does-a-cancelled-timer-cost')],
  timeout: ['is 0 if anything is ready, else the time to the nearest deadline, else None: without end.', 'base_events.py:1978', TURN('how-long-may-the-loop-sleep')],
  sleep: ['is select, with that timeout. 0 only looks.', 'base_events.py:1989', TURN('what-is-a-turn')],
  readable: ['descriptors put their handles into _ready. Nothing runs yet.', 'base_events.py:1990', READERS],
  posted: ['handles, from the hatch, go into _ready before those of descriptors.', 'take_from_hatch', HATCH],
  due: ['timers, those before now plus _clock_resolution, go behind what is in _ready.', 'base_events.py:1994', TURN('how-do-timers-become-handles')],
  call: ['as many handles as _ready holds now: ntodo. What they add waits for the next turn.', 'base_events.py:2004', CALL],
};

customElements.define('loop-map', class extends HTMLElement {
  connectedCallback() {
    if (this.live) return;
    const { root, parts, light } = picture('button');
    const about = h('div', { class: 'about', 'aria-live': 'polite' });
    const order = [...parts.keys()];
    const explain = (name) => {
      const [text, where, href] = ABOUT[name];
      const title = parts.get(name).querySelector('code, strong').textContent;
      light(this.dataset.part = name);
      parts.forEach((part, key) => part.setAttribute('tabindex', key === name ? 0 : -1));
      about.replaceChildren(h('p', {}, h('strong', {}, title), ` ${text}`), h('p', {}, h('code', {}, where), ' ',
        h('a', { href: new URL(`../${href}`, import.meta.url) }, `The listing: ${title}`)));
    };
    parts.forEach((part, name) => ['pointerenter', 'focus', 'click'].forEach((kind) => part.addEventListener(kind, () => explain(name))));
    // One stop for the Tab key; the arrows go round the parts.
    const by = (way) => () => parts.get(order.at((order.indexOf(this.dataset.part) + way) % order.length)).focus();
    keys(root, { ArrowRight: by(1), ArrowDown: by(1), ArrowLeft: by(-1), ArrowUp: by(-1) });
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'The parts of the loop. The arrow keys go round');
    this.append(this.live = h('div', { class: 'live' }, root, about));
    explain('ready');
  }
});
