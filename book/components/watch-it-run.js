// <watch-it-run>: A and B take turns, a rude task arrives, both freeze, and the cure: four stages of three
// recorded runs, each drawn on one axis of time and uncovered from left to right.

import { load, ms } from './model.js';
import { bar, button, fetched, h, keys } from './picture.js';

const STAGES = [
  [0, 'A and B take turns', () => 'Nobody interrupts anybody. Each hands the thread back, and so both get on.'],
  [1, 'A rude task arrives', () => 'It keeps the thread and asks nobody. Nothing in the loop can take it away.'],
  [1, 'Both are frozen', ({ from, to }) => `A and B did nothing wrong. They are due at ${ms(from)} and run at ${ms(to)}.`],
  [2, 'The cure: a thread', () => 'The same work, sent away. A and B keep their time, and the result comes back as one more handle.'],
];
const SAID = { late: 'frozen', away: 'on another thread', ran: 'keeps the thread' };

/** Of each task of a run, when it ran, was due and did not run, was away; x and width in percent. A frame is a time. */
export function scene(run) {
  const lanes = run.tasks.map((name, task) => ({ name, task, bars: [] })).filter(({ name }) => !/^(main|shutdown)/.test(name));
  const end = run.totals.t_end;
  const steps = run.turns.flatMap(({ ran }) => ran).filter((r) => lanes.some(({ task }) => task === run.handles[r.h].task));
  const own = steps.filter((r) => run.handles[r.h].when === undefined);
  // A run that takes no time is drawn by the order of its steps.
  const x = (time, r) => (end ? time / end : (own.indexOf(r) + 0.5) / own.length) * 100;
  for (const { task, bars } of lanes) {
    let slept = true;
    for (const r of steps.filter(({ h: id }) => run.handles[id].task === task)) {
      const { when } = run.handles[r.h];
      const add = (kind, from, to) => bars.push({ kind, from, to, x: x(from, r), width: end && (to - from) / end * 100 });
      if (when === undefined) {
        if (!slept && r.t > bars.at(-1).to) add('away', bars.at(-1).to, r.t);
        add('ran', r.t, r.end);
      } else if (r.t > when) add('late', when, r.t);
      slept = when !== undefined;
    }
  }
  const all = lanes.flatMap(({ bars }) => bars);
  const log = run.log.filter(({ event }) => event[1] === 'log').map(({ t, event }) => ({ t, text: `${event[0]}: ${event[2]}` }));
  const times = [...new Set(all.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const frames = end ? times.map((t) => ({ t, x: t / end, text: `${ms(t)}, ${log.findLast((entry) => entry.t <= t)?.text}` }))
    : own.map((r, k) => ({ t: k * 40, x: (k + 1) / own.length, text: log[k]?.text }));
  return { lanes, frames, text: run.text, late: all.find(({ kind }) => kind === 'late'), held: all.find(({ kind, width }) => kind === 'ran' && width) };
}

customElements.define('watch-it-run', class extends HTMLElement {
  connectedCallback() {
    fetched(this, this.dataset.run.split(' '), (...runs) => {
      this.scenes = runs.map((run) => scene(load(run)));
      const play = () => this.play(!this.timer);
      const by = (way) => () => { this.play(false); this.to(this.frame + way); };
      const stage = (way) => () => this.stage(Math.max(0, Math.min(3, this.at + way)));
      this.tabs = STAGES.map(([, title], k) => button([h('b', {}, `${k + 1}`), ` ${title}`], null, () => this.stage(k)));
      this.live.append(h('div', { class: 'steps', role: 'group', 'aria-label': 'the stages' }, this.tabs), this.lanes = h('div', { class: 'lanes', role: 'img' }),
        h('div', { class: 'bar' }, this.player = h('button', { type: 'button', onclick: play }), button('◀', 'back (,)', by(-1)), button('▶', 'on (.)', by(1)),
          this.where = h('output')), this.moral = h('p', { class: 'moral', 'aria-live': 'polite' }),
        h('small', {}, 'Keys in here: space plays, . and comma step, n and p change the stage, Home, End.'));
      keys(this, { ' ': play, '.': by(1), ',': by(-1), n: stage(1), p: stage(-1), Home: by(-99), End: by(99) });
      this.stage(0);
    });
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  stage(k) {
    const [which, title, moral] = STAGES[k];
    const { lanes, frames, text, late, held } = this.scene = this.scenes[which];
    this.dataset.stage = this.at = k;
    // The second stage ends where the rude task begins; the third shows what comes of it.
    this.last = k === 1 ? frames.findIndex(({ t }) => t === held.from) : frames.length - 1;
    this.tabs.forEach((tab, at) => tab.setAttribute('aria-current', at === k ? 'step' : 'false'));
    this.moral.textContent = moral(late);
    this.lanes.setAttribute('aria-label', `${title}. ${text}`);
    this.lanes.replaceChildren(...lanes.flatMap(({ name, task, bars }) => [h('b', { class: `task-${task}` }, name), h('div', { class: `row task-${task}` },
      bars.map((b) => bar(b.width ? b.kind : 'dot', b.x, b.width, b.width ? SAID[b.kind] : '')))]), this.veil = h('div', { class: 'veil' }));
    this.play(false);
    this.to(this.last);
  }

  /** Uncovers the picture up to frame k, within some milliseconds. */
  to(k, time = 0) {
    this.dataset.frame = this.frame = Math.max(0, Math.min(this.last, k));
    const { x, text } = this.scene.frames[this.frame];
    this.veil.style.cssText = `--x: ${x}; transition-duration: ${time}ms`;
    this.where.textContent = text;
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.player.textContent = on ? '❚❚ Pause' : '▶ Play';
    if (!on) return;
    if (this.frame === this.last) this.to(0);
    const next = () => {
      if (this.frame === this.last) return this.play(false);
      const { frames } = this.scene;
      const time = Math.max(300, Math.min(1600, (frames[this.frame + 1].t - frames[this.frame].t) * 16));
      this.to(this.frame + 1, time);
      this.timer = setTimeout(next, time);
    };
    this.timer = setTimeout(next, 300);
  }
});
