// <loop-map>: the picture of the loop; hover, focus or touch explains a part and leads to its listing.

import { h, picture } from './picture.js';

// What the part is in CPython, what it is here, the page and heading that has the listing.
const [BOXES, TURN, TASKS, HATCH] = ['02-containers', '03-six-steps', '05-wakeup', '03-six-steps']
  .map((chapter) => (heading) => `${chapter}/index.html#${heading}`);
const ABOUT = {
  task: ['Task and Future stand on the loop, and the loop does not know them. A step of a task is a callback, and so is its wakeup.', 'Rust: wakeup::Task, wakeup::Future', TASKS('what-is-one-step-of-a-task')],
  program: ['Whoever has a socket asks the loop to watch it. A callback goes with the descriptor.', 'asyncio: selector_events.py', TURN('how-do-descriptors-become-handles')],
  thread: ['No other thread may touch the containers. It has the hatch, and nothing else of the loop.', 'Rust: only Hatch is Send', '06-blocking/index.html#out-and-back'],
  soon: ['Puts a handle at the end of _ready. Everything that runs has been there.', 'base_events.py:819', BOXES('where-do-handles-wait-for-their-turn')],
  later: ['Puts a timer on the heap, with a deadline: now plus the delay.', 'base_events.py:801', BOXES('where-do-timers-wait')],
  reader: ['Registers a descriptor and the callback for the moment when it is readable.', 'selector_events.py:344', TURN('how-do-descriptors-become-handles')],
  threadsafe: ['call_soon and a ring: it queues the handle and ends the sleep in select.', 'base_events.py:872', HATCH('how-does-another-thread-get-in')],
  scheduled: ['A heap of timers by deadline. A cancelled timer stays on it and is counted in _timer_cancelled_count.', 'base_events.py:425; Rust: Core::scheduled', BOXES('where-do-timers-wait')],
  selector: ['epoll or kqueue. The only place where the loop sleeps: until a descriptor, a deadline or the hatch ends it.', 'selector_events.py:63; Rust: Core::selector', BOXES('who-knows-the-time')],
  hatch: ['In CPython a pair of sockets, the self-pipe. Here a queue under a mutex, a flag, and a ring.', '_ssock and _csock; Rust: Core::hatch', HATCH('how-does-another-thread-get-in')],
  ready: ['A deque of handles. Nothing looks into its middle, and a cancelled handle is skipped when its turn comes.', 'base_events.py:424; Rust: Core::ready', BOXES('where-do-handles-wait-for-their-turn')],
  callback: ['What step 6 calls. While it runs, no timer is collected and no descriptor looked at.', 'events.py:87, Handle._run', TURN('when-do-callbacks-run')],
  sweep: ['Step 1 takes cancelled timers off the heap, so that none of them cuts the sleep short.', 'base_events.py:1955', BOXES('what-does-a-cancelled-timer-cost')],
  timeout: ['Step 2: 0 if anything is ready, else until the nearest deadline, else without end.', 'base_events.py:1978', TURN('how-long-may-the-loop-sleep')],
  sleep: ['Step 3 sleeps. A timeout of 0 only looks.', 'base_events.py:1989', TURN('what-is-a-turn')],
  readable: ['Step 4: a descriptor that is readable puts its handle into _ready. Nothing runs yet.', 'base_events.py:1990', TURN('how-do-descriptors-become-handles')],
  posted: ['Step 4: what came through the hatch goes into _ready, before the descriptors.', 'Rust: take_from_hatch', HATCH('how-does-another-thread-get-in')],
  due: ['Step 5: timers whose deadline lies before now plus _clock_resolution go into _ready, behind what is there.', 'base_events.py:1994', TURN('how-do-timers-become-handles')],
  call: ['Step 6 counts what is ready, ntodo, and calls as many. What they add waits for the next turn.', 'base_events.py:2004', TURN('when-do-callbacks-run')],
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
      light([name]);
      order.forEach((key) => parts.get(key).setAttribute('tabindex', key === name ? 0 : -1));
      about.replaceChildren(h('p', {}, h('strong', {}, title), ` ${text}`), h('p', {}, h('code', {}, where),
        h('a', { href: new URL(`../${href}`, import.meta.url).href }, `The listing for ${title}`)));
      this.dataset.part = name;
    };
    for (const [name, part] of parts) {
      for (const kind of ['pointerenter', 'focus', 'click']) part.addEventListener(kind, () => explain(name));
    }
    // One stop for the Tab key; the arrows go round the parts.
    root.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const to = { Home: order[0], End: order.at(-1) }[event.key]
        ?? (by && order.at((order.indexOf(this.dataset.part) + by) % order.length));
      if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      parts.get(to).focus();
    });
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'The parts of the loop: arrow keys go round, each is explained below');
    this.append(this.live = h('div', { class: 'live' }, root, about));
    explain('ready');
  }
});
