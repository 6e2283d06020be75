/*
 * The model of a recorded run: reads a run file ("loop-run/1"), refuses a bad one by the name of its fault, and
 * tells what stands in the loop's containers at any moment. All components stand on it; it knows no page.
 *
 * A run is a row of moments. A turn has one for each of the steps 1 to 5 and, in step 6, one for each handle (one
 * in all if none runs). A moment of step 0 stands before a turn if something happened outside of the loop, and one
 * at the very end. `state(i)` is what stands once moment i has done its part. All counts are from 0, in text from 1.
 */

/** A run file that cannot be shown; the message is one sentence for the reader. */
export class Fault extends Error {}

/** A duration or a time for people: at most three decimals. */
export const ms = (value) => `${+value.toFixed(3)} ms`;

/** An event of the program as text: "pulse: tick 100". */
export const told = ([who, ...what]) => `${who}: ${what.map((v) => (typeof v === 'string' ? v : JSON.stringify(v))).join(' ')}`;

const refuse = (message) => { throw new Fault(message); };
const and = (words) => words.join(', ').replace(/, (?=[^,]*$)/, ' and ');

/** Makes a Run of a run file, given as text or parsed. Throws a Fault. */
export function load(input) {
  let data = input;
  try {
    if (typeof input === 'string') data = JSON.parse(input);
  } catch (error) {
    refuse(`This is not JSON: ${error.message}.`);
  }
  if (data?.format !== 'loop-run/1') {
    refuse(data?.format ? `The format is ${JSON.stringify(data.format)}; this page reads "loop-run/1".` : 'It has no "format": a run file says "loop-run/1".');
  }
  for (const key of ['tasks', 'handles', 'turns']) Array.isArray(data[key]) || refuse(`The list "${key}" is missing.`);
  try {
    return new Run(data);
  } catch (error) {
    throw error instanceof Fault ? error : new Fault(`It is not built like a run file: ${error.message}.`);
  }
}

/** The containers in a replay. Each move is checked, so the first replay proves the file. */
class Containers {
  constructor(run, from = { ready: [], log: 0 }) {
    Object.assign(this, { run, head: 0, moves: 0, ready: [...from.ready], log: from.log });
    for (const name of ['heap', 'cancelled', 'readers']) this[name] = new Set(from[name]);
  }

  /** A list of the file, whose numbers must be of things that are there. */
  of(ids = [], things = this.run.handles) {
    this.moves += ids.length;
    for (const id of ids) things[id] ?? refuse(`${this.where}: there is no number ${JSON.stringify(id)} in the file.`);
    return ids;
  }

  /** What a handle did, or what happened outside. */
  did(e) {
    const { run } = this;
    for (const id of this.of(e.ready)) this.ready.push(id);
    for (const id of this.of(e.heap)) {
      Number.isFinite(run.handles[id].when) || refuse(`${this.where}: ${run.label(id)} is on the heap and has no deadline.`);
      this.heap.add(id);
    }
    for (const id of this.of(e.cancelled)) this.cancelled.add(id);
    for (const id of this.of(e.added, run.readers)) this.readers.add(id);
    for (const id of this.of(e.removed, run.readers)) this.readers.delete(id);
    this.log += e.log?.length ?? 0;
  }

  take(ids, step) {
    for (const id of this.of(ids)) this.heap.delete(id) || refuse(`${this.where}: step ${step} takes ${this.run.label(id)}, which is not on the heap.`);
  }

  same(said, found, what) {
    if (said !== undefined && said !== found) refuse(`${this.where}: the file says ${said} ${what}, and ${found} were put there.`);
  }

  /** One moment. */
  step({ turn, step, index }) {
    this.where = `Turn ${turn + 1}`;
    const t = this.run.turns[turn];
    if (step === 0) this.did(this.run.before.get(turn) ?? {});
    if (step === 1) {
      this.ready.splice(0, this.head);
      this.head = 0;
      this.same(t.ready && String(t.ready), String(this.ready), 'are in ready');
      this.same(t.heap?.[0], this.heap.size, 'timers on the heap');
      this.take(t.swept, 1);
      t.swept?.forEach((id) => this.cancelled.delete(id));
      this.same(t.heap?.[1], this.heap.size, 'timers on the heap after step 1');
    }
    if (step === 5) this.take(t.due, 5);
    if (step === 4 || step === 5) for (const id of this.of(step === 4 ? t.events : t.due)) this.ready.push(id);
    if (index < 0) return;
    const ran = t.ran[index];
    this.of([ran.h]);
    this.ready[this.head] === ran.h || refuse(`${this.where}: ${this.run.label(ran.h)} runs and is not at the head of ready.`);
    this.head += 1;
    this.cancelled.delete(ran.h);
    this.did(ran);
  }

  copy() {
    return { ready: this.ready.slice(this.head), heap: [...this.heap], cancelled: [...this.cancelled], readers: [...this.readers], log: this.log };
  }
}

class Run {
  constructor(data) {
    Object.assign(this, { title: 'a run', text: '', readers: [], outcome: [] }, data, { moments: [], first: [], log: [] });
    this.before = new Map(this.between?.map((b) => [b.turn, b]));
    this.handles.forEach((h, id) => typeof h?.name === 'string' || refuse(`Handle number ${id} has no name.`));
    this.checkpoints = new Map();
    const c = new Containers(this);
    let clock = 0;
    let handles = 0;
    const later = (time, turn) => {
      Number.isFinite(time) || refuse(`Turn ${turn + 1}: a time is missing.`);
      time >= clock || refuse(`Turn ${turn + 1}: the clock goes back, from ${ms(clock)} to ${ms(time)}.`);
      clock = time;
    };
    const moment = (turn, step, until, index = -1, handle = -1) => {
      const m = { i: this.moments.length, turn, step, index, handle, t: clock, until };
      later(until, turn);
      c.step(m);
      for (const event of this.did(m).log ?? []) this.log.push({ i: m.i, turn, t: clock, text: told(event), event });
      this.moments.push(m);
    };
    this.turns.forEach((t, turn) => {
      // A checkpoint costs what stands in the containers: one is made when as much has moved.
      if (turn === 0 || c.moves > c.heap.size + c.ready.length + 256) {
        this.checkpoints.set(turn, c.copy());
        c.moves = 0;
      }
      this.first.push(this.moments.length);
      later(t.t, turn);
      if (this.before.has(turn)) moment(turn, 0, t.t);
      moment(turn, 1, t.t);
      moment(turn, 2, t.t);
      moment(turn, 3, t.woke ?? t.t);
      const ran = t.ran ?? [];
      if ('woke' in t) {
        moment(turn, 4, t.woke);
        moment(turn, 5, t.woke);
        for (const [k, r] of ran.entries()) {
          later(r.t, turn);
          moment(turn, 6, r.end, k, r.h);
        }
        if (!ran.length) moment(turn, 6, t.woke);
      } else if (ran.length) refuse(`Turn ${turn + 1}: handles run, and select never returned.`);
      later(t.end, turn);
      handles += ran.length;
    });
    this.first.push(this.moments.length);
    moment(this.turns.length, 0, clock);
    this.length = this.moments.length;
    this.totals = { turns: this.turns.length, handles, t_end: clock };
  }

  /** The name of a handle; a timer of the library says whose it is. */
  label(id) {
    const { name, task } = this.handles[id];
    return name.includes(':') || task === undefined ? name : `${name} of ${this.tasks[task]}`;
  }

  /** The number of the task whose handle it is, or -1. */
  task(id) {
    return this.handles[id]?.task ?? -1;
  }

  /** Moment i: its turn, step, number of the handle in the turn (or -1), the handle's id, from t until. */
  moment(i) {
    return this.moments[i];
  }

  /** The number of the moment of a turn's step, or of one handle in its step 6. */
  at(turn, step = 1, index = 0) {
    if (turn >= this.turns.length) return this.length - 1;
    return Math.min(this.first[turn] + (this.before.has(turn) ? 1 : 0) + step - 1 + index, this.first[turn + 1] - 1);
  }

  /** The last moment for which `holds` is true; it must be true of a first part of the run. */
  last(holds) {
    let low = 0;
    for (let high = this.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (holds(this.moments[middle])) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How long a turn slept in select; looking without sleeping takes time as well, on a real clock. */
  slept(turn) {
    const { timeout, t, woke } = this.turns[turn] ?? {};
    return timeout === 0 || woke === undefined ? 0 : woke - t;
  }

  /** What stands in the containers once moment i has done its part; `moved` is what it put there or dropped. */
  state(i) {
    const m = this.moments[i];
    let { turn } = m;
    while (turn && !this.checkpoints.has(turn)) turn -= 1;
    const c = new Containers(this, this.checkpoints.get(turn));
    for (let k = this.first[turn]; k <= i; k += 1) c.step(this.moments[k]);
    const s = c.copy();
    s.heap.sort((a, b) => this.handles[a].when - this.handles[b].when || a - b);
    const { ready = [], heap = [], swept = [] } = this.did(m);
    return {
      ...s, cancelled: c.cancelled, t: m.until, running: m.handle < 0 ? null : m.handle, asleep: m.step === 3 && this.slept(m.turn) > 0,
      moved: [...ready, ...heap, ...swept],
    };
  }

  /** What a moment did: ready, heap, swept, cancelled, added, removed, log; each may be absent. */
  did({ turn, step, index }) {
    const t = this.turns[turn];
    if (step === 0) return this.before.get(turn) ?? {};
    return (step === 6 ? t.ran?.[index] : { 1: { swept: t.swept }, 4: { ready: t.events }, 5: { ready: t.due } }[step]) ?? {};
  }

  /** Whether moment i finds nothing to do; a handle always does, even one that is skipped. */
  quiet(i) {
    const m = this.moments[i];
    return m.step > 0 && m.handle < 0 && !(m.step === 3 && this.slept(m.turn)) && !Object.values(this.did(m)).some((list) => list?.length);
  }

  /** The next moment of a kind ("moment", "handle", "step", "turn", "event"; `by` -1: back); i if there is none. */
  next(i, kind = 'moment', by = 1) {
    const m = this.moments[i];
    const is = {
      moment: () => true,
      handle: (k) => k.handle >= 0,
      step: (k) => k.index < 1 && (k.turn !== m.turn || k.step !== m.step),
      turn: (k) => k.i === this.at(k.turn),
      event: (k) => this.did(k).log?.length,
    }[kind];
    let k = i + by;
    while (this.moments[k] && !is(this.moments[k])) k += by;
    return this.moments[k] ? k : i;
  }

  /** The next moment a search means: "turn 12", "120 ms", or part of a name or an event; or -1. */
  find(query, i = -1, by = 1) {
    const text = query.trim().toLowerCase();
    const [, turn, time] = /^(?:turn\s*(\d+)|([\d.]+)\s*ms)$/.exec(text) ?? [];
    if (turn) return this.turns[turn - 1] ? this.at(turn - 1) : -1;
    if (time) return this.last((m) => m.t <= +time);
    for (let n = 1, k = i; text && n <= this.length; n += 1) {
      k = (k + by + this.length) % this.length;
      const m = this.moments[k];
      const said = this.did(m).log?.map(told).join(' ') ?? '';
      if (`${m.handle < 0 ? '' : this.label(m.handle)} ${said}`.toLowerCase().includes(text)) return k;
    }
    return -1;
  }

  /** Places worth a jump: the phases, the longest sleep and handle, the latest timer, and what went wrong. */
  marks() {
    const marks = [];
    const longest = { sleep: { value: 0 }, late: { value: 0 }, busy: { value: 0 } };
    const most = (kind, value, i, label) => {
      if (value > longest[kind].value) longest[kind] = { value, i, label: `${label} ${ms(value)}` };
    };
    for (const m of this.moments) {
      const t = this.turns[m.turn];
      const of = `turn ${m.turn + 1}`;
      if (m.step === 1 && t.phase !== this.turns[m.turn - 1]?.phase) marks.push({ i: m.i, label: `${of}: ${t.phase} begins` });
      if (m.step === 3) most('sleep', this.slept(m.turn), m.i, `${of}: longest sleep,`);
      if (m.step === 5) t.due?.forEach((id) => most('late', m.t - this.handles[id].when, m.i, `${of}: ${this.label(id)}, the latest timer, by`));
      if (m.handle >= 0) most('busy', m.until - m.t, m.i, `${of}: ${this.label(m.handle)}, the longest handle,`);
      for (const e of this.did(m).log ?? []) {
        if (['caught', 'unhandled', 'slow'].includes(e[1])) marks.push({ i: m.i, label: `${of}: ${told(e)}` });
      }
    }
    return [...marks, ...Object.values(longest).filter((x) => x.value)].sort((a, b) => a.i - b.i).slice(0, 60);
  }

  /** One sentence that tells moment i to who cannot see it. */
  sentence(i) {
    const m = this.moments[i];
    const t = this.turns[m.turn];
    const did = this.did(m);
    const ids = (list, say = (id) => this.label(id)) => and(list.length > 4 ? [...list.slice(0, 3).map(say), `${list.length - 3} more`] : list.map(say));
    const readers = (id) => this.readers[id].name;
    const says = {
      ready: (list) => `queues ${ids(list)}`,
      heap: (list) => `schedules ${ids(list, (id) => `${this.label(id)} for ${ms(this.handles[id].when)}`)}`,
      cancelled: (list) => `cancels ${ids(list)}`,
      added: (list) => `watches ${ids(list, readers)}`,
      removed: (list) => `no longer watches ${ids(list, readers)}`,
      log: (list) => `says ${ids(list, (e) => `“${told(e)}”`)}`,
    };
    const work = Object.keys(says).filter((key) => did[key]?.length).map((key) => says[key](did[key])).join('; ');
    if (!t) return `The run is over: ${this.totals.turns} turns, ${this.totals.handles} handles, ${ms(m.t)}.`;
    if (!m.step) return `Before turn ${m.turn + 1}, outside the loop: ${work || 'nothing'}.`;
    const left = t.raised && i === this.first[m.turn + 1] - 1 ? ` ${t.raised} leaves the turn.` : '';
    const { ready, heap: [next] } = this.state(i);
    const due = next === undefined ? Infinity : this.handles[next].when;
    const steps = [
      () => (did.swept?.length ? `${ids(did.swept)}, cancelled, leaves the heap` : 'no cancelled timer to drop'),
      () => {
        if (t.timeout === null) return 'nothing is ready and no timer is set, so the timeout is None';
        if (ready.length) return `${ready.length} ready, so the timeout is 0`;
        if (t.timeout) return `nothing is ready and ${this.label(next)} is due at ${ms(due)}, so the timeout is ${ms(t.timeout)}`;
        return due <= t.t ? `${this.label(next)} is due already, so the timeout is 0` : 'the loop was told to stop, so the timeout is 0';
      },
      () => {
        if (!('woke' in t)) return 'select never returns';
        return this.slept(m.turn) ? `select sleeps ${ms(t.woke - t.t)}${due <= t.woke ? `, until ${this.label(next)} is due` : ''}` : 'select looks and returns at once';
      },
      () => (work ? `what select found ${work}` : 'no event'),
      () => (work ? `${ids(did.ready)} to ready${m.t > this.handles[did.ready[0]].when ? `, ${ms(m.t - this.handles[did.ready[0]].when)} late` : ''}` : 'no timer is due'),
      () => {
        if (m.handle < 0) return 'no handle to run';
        const who = `handle ${m.index + 1} of ${t.ran.length}, ${this.label(m.handle)},`;
        return did.skipped ? `${who} was cancelled and is skipped` : `${who} ${m.until > m.t ? `holds the thread for ${ms(m.until - m.t)}` : 'runs'}${work ? `; it ${work}` : ''}`;
      },
    ];
    return `Turn ${m.turn + 1}, step ${m.step}: ${steps[m.step - 1]()}.${left}`;
  }
}
