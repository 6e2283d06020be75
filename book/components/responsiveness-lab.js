// <responsiveness-lab>: a pulse beside workers of four kinds, from a grid of recorded runs ("loop-grid/1"): its
// ticks, the gaps between them, and the turns that one tick takes, told one by one.

import { ms } from './model.js';
import { bar, button, fetched, h, keys } from './picture.js';

const KINDS = {
  blocking: 'blocks, never yields', yielding: 'blocks, yields after each chunk',
  cooperative: 'awaits each chunk', offloaded: 'blocks on another thread',
};
const CHOICE = { kind: 'yielding', chunk: 100, tasks: 1, period: 10 };

/** The cell of the grid for a choice. */
export function cellOf({ chunks, periods, tasks, kinds, cells }, choice) {
  const c = chunks.indexOf(+choice.chunk) * periods.length + periods.indexOf(+choice.period);
  return cells[(c * tasks.length + tasks.indexOf(+choice.tasks)) * kinds.length + kinds.indexOf(choice.kind)];
}

/** The turns of the first tick, from the one in which the pulse falls asleep: what each held, cost and meant. */
export function story({ names, first }, { one }, due) {
  const rows = [];
  one.forEach(([t, woke, end, ran], k) => {
    const [sets, fires, ticks] = [!k, k === one.length - 2, k === one.length - 1];
    let clock = woke;
    const handles = ran.map(([name, until]) => ({ name: names[name], from: clock, until: (clock = until) }));
    const at = handles.findIndex(({ name }) => name === (sets ? 'step:pulse' : ticks ? 'wakeup:pulse' : 'sleep of pulse'));
    const mine = handles[at]?.until ?? end;
    const row = { turn: first + k, until: first + k, from: sets ? mine : t, to: ticks ? mine : end, handles };
    row.busy = handles.filter((r) => r.until > Math.max(r.from, row.from));
    row.asleep = sets || row.busy.length ? 0 : woke - t;
    const told = (list) => list.map((r) => r.name).join(', ')
      + (list.some((r) => row.busy.includes(r)) ? `, and the thread is busy until ${ms(list.at(-1).until)}` : '');
    const behind = at > 0 ? ` behind ${told(handles.slice(0, at))}` : '';
    const late = (time) => (time > due ? `${ms(time - due)} late` : 'on time');
    row.text = sets ? `The pulse goes to sleep, with a timer for ${ms(due)}. Then ${told(handles.slice(at + 1))}.${
        due < end ? ' The deadline passes, and nobody looks: step 5 of this turn is over.' : ''}`
      : fires ? `${woke > t ? 'The loop sleeps. ' : ''}Step 5 finds the timer at ${ms(woke)}, ${late(woke)}.${behind && ` It goes${behind}.`} At ${
        ms(mine)} it runs: it sets a result, and the wakeup waits for the next turn.`
      : ticks ? `The wakeup is ready${behind}. At ${ms(mine)} it runs: tick, ${late(mine)}.`
      : end > due ? 'The deadline passes in the last of them.' : 'Not due yet: nothing is lost.';
    row.idle = !sets && !fires && !ticks;
    const before = rows.at(-1);
    if (!row.idle || !before.idle) rows.push(row);
    else Object.assign(before, { until: row.until, to: end, text: row.text, busy: [...before.busy, ...row.busy] });
  });
  return rows;
}

customElements.define('responsiveness-lab', class extends HTMLElement {
  connectedCallback() {
    fetched(this, [this.dataset.run], (grid) => {
      this.grid = grid;
      const group = [...document.querySelectorAll(this.tagName)].indexOf(this);
      const choice = (key, legend, values, show) => h('fieldset', {}, h('legend', {}, legend), values.map((value) => h('label', {},
        h('input', { type: 'radio', name: `${key} ${group}`, value, checked: `${value}` === `${this.getAttribute(key) ?? CHOICE[key]}` }), show(value))));
      this.form = h('form', { onchange: () => this.show() },
        choice('kind', 'The worker', Object.keys(KINDS), (value) => KINDS[value]), choice('chunk', 'takes, a chunk', grid.chunks, ms),
        choice('tasks', 'and there are', grid.tasks, String), choice('period', 'The pulse wants to tick every', grid.periods, ms));
      this.live.append(this.form, this.said = h('p', { class: 'said', 'aria-live': 'polite' }), this.out = h('div'),
        h('small', {}, 'Keys in here: . and comma go through the turns.'));
      keys(this, { '.': () => this.light(this.lit + 1), ',': () => this.light(this.lit - 1) });
      this.show();
    });
  }

  show() {
    const choice = Object.fromEntries([...new FormData(this.form)].map(([key, value]) => [key.split(' ')[0], value]));
    this.dataset.choice = Object.values(choice).join(' ');
    const cell = cellOf(this.grid, choice);
    let time = 0;
    const gaps = cell.gaps.flatMap(([gap, n]) => Array(n).fill(gap));
    const ticks = gaps.map((gap) => (time += gap));
    gaps.sort((a, b) => a - b);
    const median = ms(gaps[gaps.length >> 1]);
    this.said.replaceChildren(h('strong', {}, `${ticks.length} ${ticks.length === 1 ? 'tick' : 'ticks'}`),
      ` in ${ms(cell.end)}, ${cell.missed} missed. Gaps, from the start on: median ${median}, longest ${ms(gaps.at(-1))}.`);
    this.out.replaceChildren(...this.strips(cell, ticks, gaps, choice.period), ...this.turns(cell, choice, median));
    this.light(0);
  }

  /** When the pulse wanted to tick, when it did, when a handle held the thread; and how often each gap came. */
  strips({ end, busy }, ticks, gaps, period) {
    const all = Math.max(end, ticks.at(-1));
    const x = (time) => time / all * 100;
    const times = (count, draw) => Array.from({ length: count }, (_, k) => draw(k));
    const strip = (label, ...rows) => h('div', { class: 'strip', role: 'img', 'aria-label': label }, rows.map(([name, ...marks]) => [h('b', {}, name), h('div', { class: 'row' }, marks)]));
    const wanted = Math.floor(end / period);
    const kinds = [...new Set(gaps)].map((gap) => [ms(gap), gaps.filter((other) => other === gap).length]);
    const most = Math.max(...kinds.map(([, n]) => n));
    return [strip(`Ticks at ${ticks.slice(0, 12).join(', ')} ms${ticks.length > 12 ? ' and so on' : ''}`,
      ['wanted', wanted > 200 ? bar('asleep', 0, 100, `${wanted} times`) : times(wanted, (k) => bar('want', x((k + 1) * period)))],
      ['ticked', ticks.map((tick) => bar('tick', x(tick)))],
      ['thread', busy.map(([start, length, count]) => times(count, (k) => bar('busy', x(start + k * length), x(length))))],
      ['', times(5, (k) => bar('hour', k * 25, 0, ms(Math.round(all * k / 4))))]),
    strip(`The gaps: ${kinds.map(([gap, n]) => `${gap} ${n} times`).join(', ')}`, ['gaps'],
      ...kinds.map(([gap, n]) => [gap, bar('busy', 0, n / most * 80), bar('count', n / most * 80, 0, `${n} ×`)]))];
  }

  /** A row a turn, all on one axis of time. */
  turns(cell, { tasks, period: due }, median) {
    const rows = story(this.grid, cell, +due);
    const [start, tick] = [rows[0].from, rows.at(-1).to];
    const x = (time) => (time - start) / (tick - start) * 100;
    const owner = (name) => /(?::| of )(.*)/.exec(name)?.[1] ?? name;
    const chip = ({ name }) => h('li', { class: `chip task-${{ main: 0, pulse: 1 }[owner(name)] ?? 2 + (+/\d$/.exec(name) || 0)}` }, name);
    this.rows = rows.map(({ turn, until, from, to, handles, busy, asleep, idle, text }, k) => h('li', {},
      h('strong', {}, `Turn ${turn}${until > turn ? ` to ${until}` : ''}`), h('small', {}, `${ms(to - from)} ${busy.length ? 'busy' : asleep ? 'asleep' : ''}`),
      h('div', { class: 'row' }, asleep > 0 && bar('asleep', x(from), x(from + asleep) - x(from), 'asleep'),
        busy.map((r) => bar('busy', x(Math.max(r.from, from)), x(r.until) - x(Math.max(r.from, from)), owner(r.name))),
        bar('due', x(due)), k === rows.length - 1 && bar('tick', 100)),
      !idle && h('ul', { 'aria-label': 'ran, in this order' }, handles.map(chip)), h('p', {}, text)));
    const held = rows.filter((row) => row.busy.length && !row.idle);
    const moral = `A tick needs three turns: one in which its deadline passes, one in which its timer runs, one in which its wakeup runs. ${
      rows.some((row) => row.idle) ? 'The others only go by. ' : ''}${
      held.length > 1 ? `A yield lets the pulse do one of the three, and ${tasks > 1 ? `the ${tasks} workers` : 'the worker'} kept the thread in ${held.length > 2 ? 'each' : 'two'}.`
      : held.length ? 'One of them was that long, and nobody got in before its end.' : 'Nobody kept the thread in any of them, so there is only the sleep.'}`;
    const by = (label, title, way) => button(label, title, () => this.light(this.lit + way));
    return [h('p', { class: 'why' }, `Why ${median}${held.length > 1 && held[0].to - held[0].from > due ? ` and not ${ms(held[0].to - held[0].from)}` : ''}? The first tick, turn by turn`),
      h('div', { class: 'bar' }, by('◀', 'the turn before (,)', -1), by('▶', 'the next turn (.)', 1),
        this.where = h('output'), h('span', { class: 'legend' }, bar('due', 0), `due at ${ms(+due)}`, bar('tick', 0), `tick at ${ms(tick)}`)),
      h('ol', { class: 'turns' }, this.rows),
      h('p', { class: 'moral' }, h('strong', {}, `${rows.map((row) => row.to - row.from).join(' + ')} = ${ms(tick - start)}. `), moral)];
  }

  light(k) {
    this.dataset.turn = this.lit = Math.max(0, Math.min(this.rows.length - 1, k));
    this.rows.forEach((row, at) => row.classList.toggle('lit', at === this.lit));
    this.where.textContent = `${this.lit + 1} of ${this.rows.length}`;
  }
});
