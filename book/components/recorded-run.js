/*
 * <recorded-run data-run="…json">: a recorded run to play, step and scrub, with the program beside it, the
 * loop's containers and a log, all in step. Only what is in view is in the document, however long the run is.
 * `show(run)` opens another run, `go(i)` goes to a moment; <loop-room> uses both.
 */
import { load, ms, told } from './model.js';
import { button, chip, h, STEPS } from './picture.js';

const SPEEDS = [0.5, 1, 2, 5, 20, 100, 1000]; // moments a second
const ROW = 24; // a row of the log, as in components.css
const MOVES = { '.': ['moment', 1], ',': ['moment', -1], '>': ['step', 1], '<': ['step', -1], ']': ['handle', 1], '[': ['handle', -1], n: ['turn', 1], p: ['turn', -1], e: ['event', 1], E: ['event', -1] };
const ARROWS = { ArrowRight: '.', ArrowLeft: ',', ArrowDown: '.', ArrowUp: ',', PageDown: 'n', PageUp: 'p' }; // on the axis and in the log
const KEYS = { Space: 'play, pause', '. ,': 'moment on, back', '] [': 'handle', '> <': 'step', 'n p': 'turn', 'e E': 'event of the program', 'Home End': 'first, last', '+ −': 'speed' };
let made = 0;

customElements.define('recorded-run', class extends HTMLElement {
  connectedCallback() {
    if (!this.live) this.build();
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.canvas);
    this.theme = new MutationObserver(() => this.draw());
    this.theme.observe(document.documentElement, { attributeFilter: ['class'] });
    if (this.dataset.run && !this.run) this.fetch(this.dataset.run);
  }

  disconnectedCallback() {
    this.play(false);
    this.sizes.disconnect();
    this.theme.disconnect();
  }

  async fetch(url) {
    const asked = this.asked = url;
    try {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`the server says ${answer.status}.`);
      const run = load(await answer.text());
      // Another may have been chosen meanwhile.
      if (asked === this.asked) this.show(run);
    } catch (error) {
      this.sentence.textContent = `The recording cannot be shown: ${error.message}`;
      this.append(this.live);
    }
  }

  build() {
    const move = (kind, by) => () => this.move(kind, by);
    const pair = (kind) => h('span', { class: 'pair' }, button('‹', `${kind} back`, move(kind, -1)), kind, button('›', `${kind} on`, move(kind, 1)));
    const zoom = (text, title, by) => button(text, title, () => this.draw({ zoom: Math.max(1, this.zoom * by) }));
    this.id ||= `recorded-run-${made += 1}`;
    this.name = h('p', { class: 'name' });
    this.player = button('Play', 'play', () => this.play(!this.playing));
    this.player.className = 'player';
    this.speed = h('select', { 'aria-label': 'moments a second' }, SPEEDS.map((s) => h('option', { value: s, selected: s === 2 }, `${s} / s`)));
    this.marks = h('select', { class: 'marks', 'aria-label': 'jump to', onchange: () => this.marks.value && this.go(+this.marks.value) });
    this.query = h('input', { type: 'search', 'aria-label': 'find a handle, an event, a turn or a time', placeholder: 'find: pulse, turn 3, 20 ms', onkeydown: (event) => event.key === 'Enter' && this.find(event.shiftKey ? -1 : 1) });
    this.axis = button('', 'the axis: time or turns', () => this.draw({ byTime: !this.byTime }));
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.head = h('div', { class: 'head' });
    this.lanes = h('div', { class: 'lanes', 'aria-hidden': 'true' });
    this.track = h('div', { class: 'track', role: 'slider', tabindex: 0, 'aria-label': 'moment of the run', 'aria-valuemin': 1,
      onpointerdown: (event) => {
        this.track.setPointerCapture(event.pointerId);
        this.scrub(event, true);
      },
      onpointermove: (event) => this.track.hasPointerCapture(event.pointerId) && this.scrub(event) }, this.canvas, this.head);
    this.steps = STEPS.slice(1).map((name, k) => button([h('b', {}, `${k + 1}`), ` ${name}`], `step ${k + 1}, ${name}`, () => this.go(this.run.at(this.here.turn, k + 1))));
    this.facts = h('dl', { class: 'facts' });
    this.sentence = h('p', { class: 'sentence', 'aria-live': 'polite' });
    this.tabs = ['rust', 'python'].map((lang) => button(lang === 'rust' ? 'Rust' : 'Python', `the program in ${lang}`, () => this.program(lang)));
    this.code = h('pre', { class: 'code', tabindex: 0, role: 'region' });
    this.boxes = ['running', '_ready', '_scheduled', '_selector'].map((name) => h('div', { class: `box ${name}` }, h('div', {}, h('code', {}, name), h('span')), h('ul', { 'aria-label': `in ${name}` })));
    this.rows = h('div', { class: 'rows', role: 'presentation' });
    this.log = h('div', { class: 'log', role: 'listbox', tabindex: 0, 'aria-label': 'log of the run', onscroll: () => {
        this.top = this.log.scrollTop;
        this.list();
      },
      onclick: (event) => this.go(+(event.target.closest('[data-i]')?.dataset.i ?? this.i)) }, this.rows);
    this.live = h('div', { class: 'live', role: 'group', tabindex: -1, onkeydown: (event) => this.key(event) },
      this.name,
      h('div', { class: 'bar' }, this.player, this.speed, pair('turn'), pair('step'), pair('handle'),
        h('span', { class: 'zoom' }, this.axis, zoom('−', 'show more of the axis', 0.5), zoom('+', 'show less of the axis', 2)), this.marks, this.query,
        h('details', { class: 'keys' }, h('summary', {}, 'Keys'), h('dl', {}, Object.entries(KEYS).map(([keys, what]) => h('div', {}, h('dt', {}, keys), h('dd', {}, what)))))),
      h('div', { class: 'time' }, this.lanes, this.track),
      h('div', { class: 'steps', role: 'group', 'aria-label': 'the six steps of this turn' }, this.steps),
      this.facts, this.sentence,
      h('div', { class: 'sides' }, h('div', { class: 'source' }, h('div', {}, this.tabs), this.code), h('div', { class: 'boxes' }, this.boxes)),
      this.log);
  }

  /** Opens a run, at its start or where `at="turn 3"` says. */
  show(run) {
    this.play(false);
    this.asked = null;
    this.run = run;
    this.live.setAttribute('aria-label', `recorded run: ${run.title}`);
    this.code.setAttribute('aria-label', `the program of “${run.title}”`);
    this.name.replaceChildren(h('b', {}, run.title), ` ${run.text} ${run.cut ?? ''}`);
    this.marks.replaceChildren(h('option', { value: '' }, 'jump to …'), ...run.marks().map((m) => h('option', { value: m.i }, m.label)));
    this.track.setAttribute('aria-valuemax', run.length);
    this.live.classList.toggle('no-source', !run.source);
    if (run.source) this.program('rust');
    // Lanes: the turns, select, the handles of no task where there are any, and each task.
    const names = ['turn', 'select', ...(run.handles.some((x) => x.task == null) ? ['loop'] : [])];
    this.firstLane = names.length;
    names.push(...run.tasks);
    this.lanes.replaceChildren(...names.map((name, k) => h('span', { title: name, class: k < this.firstLane ? k === 1 && 'select' : `task-${(k - this.firstLane) % 8}` }, name)));
    this.lanes.classList.toggle('many', names.length > 11);
    // The log has a row for what happened outside, for each turn and for each handle.
    this.shown = run.moments.filter((m) => m.step < 2 || m.handle >= 0);
    let row = -1;
    this.rowAt = run.moments.map((m) => (m === this.shown[row + 1] ? row += 1 : row));
    this.rows.style.height = `${this.shown.length * ROW}px`;
    this.i = 0;
    this.here = run.moment(0);
    this.rows.replaceChildren();
    this.log.scrollTop = this.top = 0;
    // Nothing moves on the page if all of it comes at once.
    this.append(this.live);
    // By time, unless most turns take none.
    this.draw({ byTime: run.turns.filter((t) => t.end > t.t).length * 3 > run.turns.length, zoom: 1 });
    this.go(Math.max(0, run.find(this.getAttribute('at') ?? '')));
  }

  play(on) {
    this.playing = on && !!this.run;
    this.player.textContent = this.playing ? 'Pause' : 'Play';
    this.player.ariaLabel = this.player.title = this.playing ? 'pause' : 'play';
    // Nobody listens to more than a sentence a second.
    this.sentence.ariaLive = this.playing && this.speed.value > 1 ? 'off' : 'polite';
    if (!this.playing) return;
    const end = this.run.length - 1;
    if (this.i === end) this.go(0);
    let due = 0;
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      due += Math.max(0, now - last) / 1000 * this.speed.value;
      last = now;
      let { i } = this;
      for (; due >= 1; due -= 1) {
        do i = Math.min(end, i + 1); while (i < end && this.run.quiet(i));
      }
      if (i !== this.i) this.go(i);
      if (i === end) this.play(false);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  move(kind, by) {
    this.play(false);
    if (this.run) this.go(this.run.next(this.i, kind, by));
  }

  find(by) {
    const i = this.run.find(this.query.value, this.i, by);
    this.play(false);
    if (i >= 0) this.go(i);
    else this.sentence.textContent = `Nothing in this run is called “${this.query.value}”.`;
  }

  key(event) {
    const typing = event.target.matches('input, select');
    if (typing) event.stopPropagation();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.run) return;
    const key = (event.target.matches('.track, .log') && ARROWS[event.key]) || event.key;
    const go = (i) => () => this.go(i);
    const speed = (by) => () => { this.speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, this.speed.selectedIndex + by)); };
    const act = MOVES[key] ? () => this.move(...MOVES[key]) : {
      ' ': !event.target.matches('button, summary') && (() => this.play(!this.playing)),
      Home: go(0), End: go(this.run.length - 1), '+': speed(1), '-': speed(-1),
    }[key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Goes to moment i and shows it everywhere. */
  go(i) {
    const { run } = this;
    this.i = this.dataset.moment = i;
    const here = this.here = run.moment(i);
    const t = run.turns[here.turn];
    // What asks for places comes first: after a change the browser would lay out twice.
    this.light();
    this.list(true);
    this.sentence.textContent = run.sentence(i);
    this.track.setAttribute('aria-valuenow', i + 1);
    this.track.setAttribute('aria-valuetext', t ? `turn ${here.turn + 1}, step ${here.step}, ${ms(here.t)}` : 'the end');
    this.steps.forEach((b, k) => b.setAttribute('aria-pressed', here.step === k + 1));
    const time = (value, none) => (value == null ? none : ms(value));
    const facts = t ? {
      turn: `${here.turn + 1} of ${run.turns.length}`, phase: t.phase, starts: ms(t.t), timeout: time(t.timeout, 'None'), woke: time(t.woke, 'never'),
      heap: t.heap?.join(' → '), cancelled: t.ccount?.join(' → '),
    } : { 'the end': time(here.t), outcome: run.outcome.map((o) => o.join(' ')).join(', ') };
    const pairs = Object.entries(facts);
    if (this.facts.children.length !== pairs.length) this.facts.replaceChildren(...pairs.map(([name]) => h('div', {}, h('dt', {}, name), h('dd'))));
    pairs.forEach(([, value], k) => { this.facts.children[k].lastChild.textContent = value ?? '–'; });
    this.contain(run.state(i));
    this.place();
  }

  /** What stands in the containers, a dozen of each. */
  contain(state) {
    const { here, run } = this;
    const lasts = here.until > here.t && ms(here.until - here.t);
    const how = (id) => chip(run, id, { state: state.cancelled.has(id) ? 'cancelled' : state.moved.includes(id) ? 'moved' : '' });
    const fill = (k, count, all, draw, first) => {
      const [head, list] = this.boxes[k].children;
      head.lastChild.textContent = count;
      list.replaceChildren(...(first ? [first] : []), ...all.slice(0, 12).map(draw), ...(all.length > 12 ? [h('li', { class: 'more' }, `and ${all.length - 12} more`)] : []));
    };
    fill(0, '', state.running == null ? [] : [state.running], (id) => chip(run, id));
    if (state.running != null && lasts) this.boxes[0].lastChild.append(h('li', { class: 'busy' }, `busy ${lasts}`));
    fill(1, state.ready.length, state.ready, how);
    fill(2, state.heap.length, state.heap, how);
    fill(3, state.readers.length, state.readers, (r) => h('li', { class: 'chip' }, run.readers[r].name), state.asleep && h('li', { class: 'asleep' }, `asleep ${lasts}`));
  }

  program(lang) {
    this.shows = lang;
    this.tabs.forEach((tab, k) => tab.setAttribute('aria-pressed', lang === ['rust', 'python'][k]));
    let top;
    this.lines = (this.run.source[lang] ?? []).map((line) => {
      const row = h('span', { class: 'line' }, line);
      if (globalThis.hljs?.getLanguage(lang)) {
        const result = hljs.highlight(lang, line, true, top);
        ({ top } = result);
        row.innerHTML = result.value;
      }
      return row;
    });
    this.code.replaceChildren(h('code', { class: 'hljs' }, this.lines));
    this.light();
  }

  /** Lights the lines that run at this moment; the listing scrolls, the page does not. */
  light() {
    const { run, here, lines = [], code } = this;
    const [from, to] = (here && run.turns[here.turn]?.ran?.[here.index]?.lines?.[this.shows]) ?? [1, 0];
    lines.forEach((line, k) => line.classList.toggle('lit', k >= from && k <= to));
    if (to < from || !lines[to]) return;
    const y = lines[from].offsetTop;
    if (y < code.scrollTop || y + 40 > code.scrollTop + code.clientHeight) code.scrollTop = y - code.clientHeight / 3;
  }

  /** From where to where on the axis a moment lies: in milliseconds, or counted in moments. */
  span(m) {
    return (this.byTime ? [m.t, m.until] : [m.i, m.i + 1]).map((unit) => (unit - this.from) * this.scale);
  }

  laneOf(m) {
    const task = this.run.task(m.handle);
    return m.handle < 0 ? 1 : task < 0 ? 2 : task + this.firstLane;
  }

  /** Draws the window of the axis that is shown; nothing closer than half a pixel to the last is drawn. */
  draw(change) {
    const { run, canvas, head } = Object.assign(this, change);
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!run || !width) return;
    this.view = this.log.clientHeight;
    this.axis.textContent = this.byTime ? 'time' : 'turns';
    const units = this.byTime ? run.totals.t_end : run.length;
    const shown = (units || 1) / this.zoom;
    this.from = Math.max(0, Math.min(units - shown, (this.byTime ? this.here.t : this.here.i) - shown / 2));
    this.scale = (width - 3) / shown;
    const dots = devicePixelRatio;
    Object.assign(canvas, { width: width * dots, height: height * dots });
    const g = canvas.getContext('2d');
    g.scale(dots, dots);
    const colours = [...this.lanes.children].map((lane) => getComputedStyle(lane).color);
    const tall = this.tall = Math.min(24, (height - 18) / colours.length);
    const floor = tall * colours.length;
    this.lanes.style.lineHeight = `${tall}px`;
    head.style.height = `${floor}px`;
    g.font = `11px ${getComputedStyle(canvas).fontFamily}`;
    const ink = (lane, alpha = 1) => {
      g.fillStyle = g.strokeStyle = colours[lane];
      g.globalAlpha = alpha;
    };
    ink(0);
    g.textAlign = 'center';
    // Numbers under the axis of time; the axis of moments has the turns.
    const round = 10 ** Math.floor(Math.log10(80 / this.scale));
    const every = [1, 2, 5, 10].find((k) => k * round * this.scale >= 80) * round;
    for (let u = Math.ceil(this.from / every) * every; this.byTime && u <= this.from + shown; u += every) {
      const x = (u - this.from) * this.scale;
      g.globalAlpha = 0.2;
      g.fillRect(x, tall, 1, floor - tall);
      g.globalAlpha = 1;
      const text = ms(u);
      const half = g.measureText(text).width / 2;
      g.fillText(text, Math.max(half, Math.min(width - half, x)), floor + 13);
    }
    const tile = new OffscreenCanvas(5, 5);
    Object.assign(tile.getContext('2d'), { fillStyle: colours[1] }).fillRect(0, 0, 2, 5);
    const hatch = g.createPattern(tile, 'repeat');
    hatch.setTransform(new DOMMatrix().rotate(45));
    const right = colours.map(() => -1);
    const free = (lane, x) => x >= right[lane] + 0.5 && (right[lane] = x);
    this.drawn = 0;
    const first = run.last((m) => (this.byTime ? m.t : m.i) <= this.from);
    for (let { turn } = run.moment(first); turn < run.turns.length; turn += 1) {
      const moments = run.moments.slice(run.first[turn], run.first[turn + 1]);
      const [start] = this.span(moments[0]);
      const [, end] = this.span(moments.at(-1));
      if (start > width) break;
      if (end - start > 1 && free(0, end)) {
        ink(0, turn % 2 ? 0.14 : 0.24);
        g.fillRect(start, 1, end - start, tall - 2);
        ink(0);
        if (end - start > 8 * `${turn + 1}`.length) g.fillText(turn + 1, (start + end) / 2, tall / 2 + 4);
      }
      for (const m of moments) {
        const lane = this.laneOf(m);
        const [a, b] = this.span(m);
        const wide = Math.max(this.byTime ? 2 : 1, b - a - 1);
        const sleeps = m.step === 3 && run.slept(turn) > 0;
        if (!(m.handle >= 0 || sleeps) || !free(lane, a + wide)) continue;
        this.drawn += 1;
        const y = lane * tall;
        const gap = tall > 8 ? 3 : 0.5;
        ink(lane, run.did(m).skipped ? 0.4 : 1);
        const due = run.handles[m.handle]?.when;
        if (this.byTime && m.t > due) {
          // From where the timer was due to where it ran.
          const x = (due - this.from) * this.scale;
          g.setLineDash([2, 2]);
          g.strokeRect(x, y + tall / 2, a - x, 0);
          g.setLineDash([]);
          g.beginPath();
          g.arc(x, y + tall / 2, Math.min(3, tall / 3), 0, 7);
          g.stroke();
        }
        if (sleeps) {
          g.fillStyle = hatch;
          g.strokeRect(a + 0.5, y + gap + 0.5, wide - 1, tall - 2 * gap - 1);
          g.fillRect(a, y + gap, wide, tall - 2 * gap);
        } else if (m.until > m.t) g.fillRect(a, y + gap, wide, tall - 2 * gap);
        else g.fillRect(a, y + tall / 3, wide, tall / 3);
      }
    }
    this.place(true);
  }

  /** Puts the head over the moment; a head outside of the window moves the window. */
  place(drawn) {
    if (!this.scale) return;
    const [a, b] = this.span(this.here);
    if (!drawn && this.zoom > 1 && (a < 0 || a > this.canvas.clientWidth - 2)) this.draw();
    else Object.assign(this.head.style, { transform: `translateX(${a - 1}px)`, width: `${Math.max(3, b - a + 1)}px` });
  }

  /** Goes where the pointer is; where it comes down, the nearest handle of that lane is meant. */
  scrub(event, down) {
    const { run } = this;
    if (!run) return;
    this.play(false);
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const unit = this.from + x / this.scale;
    let i = run.last((m) => (this.byTime ? m.t : m.i) <= unit);
    const lane = Math.floor((event.clientY - box.top) / this.tall);
    let best = 8;
    for (let k = run.last((m) => (this.byTime ? m.t : m.i) <= unit + 8 / this.scale); down && lane && k >= 0; k -= 1) {
      const m = run.moment(k);
      const [a, b] = this.span(m);
      if (b < x - 8) break;
      const far = Math.max(a - x, x - b, 0);
      if (this.laneOf(m) === lane && far < best && (m.handle >= 0 || b > a)) [best, i] = [far, k];
    }
    this.go(i);
  }

  /** Shows the rows of the log that are in view, made anew only if these are others; follows the moment if asked to. */
  list(follow) {
    if (!this.run) return;
    const { log, shown, view } = this;
    const now = this.rowAt[this.i];
    const y = now * ROW;
    if (follow && (y < this.top || y + ROW > this.top + view)) {
      log.scrollTop = y - view / 2;
      this.top = log.scrollTop;
    }
    const from = Math.max(0, Math.floor(this.top / ROW) - 1);
    const rows = shown.slice(from, Math.ceil((this.top + view) / ROW) + 1);
    if (this.from0 !== from || this.rows.children.length !== rows.length) this.rows.replaceChildren(...rows.map((m, k) => this.row(m, from + k)));
    this.from0 = from;
    this.rows.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    const row = this.rows.children[now - from];
    row?.setAttribute('aria-selected', 'true');
    log.setAttribute('aria-activedescendant', row?.id ?? '');
  }

  row(m, n) {
    const { run } = this;
    const t = run.turns[m.turn];
    const did = run.did(m);
    const badge = (name, text) => h('span', { class: name }, text);
    const task = run.task(m.handle);
    const what = m.handle >= 0 ? [badge(`chip ${task < 0 ? '' : `task-${task % 8}`} ${did.skipped ? 'cancelled' : ''}`, run.label(m.handle)), m.until > m.t && badge('busy', `busy ${ms(m.until - m.t)}`)]
      : m.step ? [`select(${t.timeout == null ? 'None' : ms(t.timeout)})`, run.slept(m.turn) > 0 && badge('asleep', `asleep ${ms(run.slept(m.turn))}`), t.phase !== run.turns[m.turn - 1]?.phase && badge('phase', t.phase), t.raised && badge('said', t.raised)]
        : [t ? 'outside the loop' : `the end: ${run.totals.turns} turns, ${run.totals.handles} handles`];
    return h('div', { role: 'option', id: `${this.id}-${n}`, class: m.step === 1 ? 'turn' : '', style: `top: ${n * ROW}px`, 'aria-selected': 'false', 'aria-posinset': n + 1, 'aria-setsize': this.shown.length, 'data-i': m.i },
      badge('no', m.step === 1 ? m.turn + 1 : ''), badge('at', m.step || !t ? ms(m.t) : ''), h('span', { class: 'what' }, what, did.log?.map((e) => badge('said', told(e)))));
  }
});
