/*
 * The model of a recorded run: reads a run file ("loop-run/1"), refuses a bad one by the name of its fault, and
 * tells what stands in the loop's containers at any moment. All components stand on it; it knows no page.
 *
 * A run is a row of moments, numbered from 0. A turn has one for each of the steps 1 to 5 and, in step 6, one
 * for each handle (one in all if none runs). A moment of step 0 stands before a turn if something happened
 * while the loop was not running, and one stands at the very end. `state(i)` is what stands once moment i has
 * done its part, `moved` what it put or dropped. Turns, handles and tasks count from 0 here, in text from 1.
 */

/** A run file that cannot be shown; the message is one sentence for the reader. */
export class Fault extends Error {}

/** A duration or a moment for people: at most three decimals. */
export const ms = (value) => `${+value.toFixed(3)} ms`;

/** An event of the program as text: "pulse: tick 100". */
export const told = ([who, ...what]) =>
  `${who}: ${what.map((v) => (typeof v === 'string' ? v : JSON.stringify(v))).join(' ')}`;

const some = (list) => list ?? [];
const names = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
const refuse = (message) => { throw new Fault(message); };

/** Makes a Run of a run file, given as text or parsed. Throws a Fault. */
export function load(input) {
  let data = input;
  if (typeof input === 'string') {
    try {
      data = JSON.parse(input);
    } catch (error) {
      refuse(`This is not JSON: ${error.message}.`);
    }
  }
  if (!data || typeof data !== 'object' || Array.isArray(data)) refuse('A run file is one JSON object, and this is none.');
  if (data.format !== 'loop-run/1') {
    refuse(data.format
      ? `The format is ${JSON.stringify(data.format)}; this page reads "loop-run/1".`
      : 'There is no "format" in it. A run file says "loop-run/1"; a trace of the corpus lacks the containers.');
  }
  for (const key of ['tasks', 'handles', 'turns']) {
    if (!Array.isArray(data[key])) refuse(`The list "${key}" is missing.`);
  }
  if (!data.turns.length) refuse('The run has no turn.');
  return new Run(data);
}

/** The containers while a run is replayed. Every move is checked, so the first replay proves the file. */
class Containers {
  constructor(run, from) {
    this.run = run;
    this.ready = from ? from.ready.slice() : [];
    this.head = 0;
    this.heap = new Set(from?.heap);
    this.cancelled = new Set(from?.cancelled);
    this.readers = new Set(from?.readers);
    this.log = from?.log ?? 0;
    this.moves = 0;
  }

  known(list, where, total = this.run.handles.length) {
    this.moves += some(list).length;
    for (const id of some(list)) {
      if (!(Number.isInteger(id) && id >= 0 && id < total)) refuse(`${where}: there is no number ${JSON.stringify(id)} in the file.`);
    }
    return some(list);
  }

  /** What a handle did, or what happened outside. */
  effects(e, where) {
    for (const id of this.known(e.ready, where)) this.ready.push(id);
    for (const id of this.known(e.heap, where)) {
      if (!Number.isFinite(this.run.handles[id].when)) refuse(`${where}: ${this.run.label(id)} is on the heap and has no deadline.`);
      this.heap.add(id);
    }
    for (const id of this.known(e.cancelled, where)) this.cancelled.add(id);
    const readers = this.run.readers.length;
    for (const id of this.known(e.added, where, readers)) this.readers.add(id);
    for (const id of this.known(e.removed, where, readers)) this.readers.delete(id);
    this.log += some(e.log).length;
  }

  step(turn, step) {
    const where = `Turn ${turn + 1}`;
    const t = this.run.turns[turn];
    if (step === 1) {
      this.ready.splice(0, this.head);
      this.head = 0;
      this.count(t.heap?.[0], this.heap.size, `${where} begins`, 'timers on the heap');
      this.count(t.ready?.length, this.ready.length, `${where} begins`, 'handles in ready');
      some(t.ready).forEach((id, k) => id === this.ready[k] || refuse(`${where}: ready does not hold what was queued before.`));
      for (const id of this.known(t.swept, where)) {
        if (!this.heap.delete(id)) refuse(`${where}: step 1 sweeps ${this.run.label(id)}, which is not on the heap.`);
        this.cancelled.delete(id);
      }
      this.count(t.heap?.[1], this.heap.size, `${where}, after step 1`, 'timers on the heap');
    } else if (step === 4) {
      for (const id of this.known(t.events, where)) this.ready.push(id);
    } else if (step === 5) {
      for (const id of this.known(t.due, where)) {
        if (!this.heap.delete(id)) refuse(`${where}: step 5 takes ${this.run.label(id)}, which is not on the heap.`);
        this.ready.push(id);
      }
    }
  }

  handle(turn, r) {
    const where = `Turn ${turn + 1}`;
    this.known([r.h], where);
    if (this.ready[this.head] !== r.h) refuse(`${where}: ${this.run.label(r.h)} runs and is not at the head of ready.`);
    this.head += 1;
    this.cancelled.delete(r.h);
    this.effects(r, where);
  }

  count(said, found, where, what) {
    if (said !== undefined && said !== found) refuse(`${where} with ${said} ${what}, but ${found} were put there.`);
  }

  copy() {
    return {
      ready: this.ready.slice(this.head), heap: [...this.heap], cancelled: [...this.cancelled],
      readers: [...this.readers], log: this.log,
    };
  }
}

class Run {
  constructor(data) {
    Object.assign(this, { title: data.name ?? 'a run', text: '', clock: 'virtual', readers: [], outcome: [] }, data);
    this.handles.forEach((h, id) => typeof h?.name === 'string' || refuse(`Handle number ${id} has no name.`));
    this.before = new Map(some(this.between).map((b) => [b.turn, b]));
    this.log = [];
    this.first = new Uint32Array(this.turns.length + 1);
    this.checkpoints = new Map();
    this.replayAll();
  }

  /** The one pass that checks everything, numbers the moments and keeps a checkpoint now and then. */
  replayAll() {
    let i = 0;
    let clock = 0;
    let handles = 0;
    const c = new Containers(this);
    const later = (value, where) => {
      if (!Number.isFinite(value)) refuse(`${where}: a time is missing.`);
      if (value < clock) refuse(`${where}: the clock goes back, from ${ms(clock)} to ${ms(value)}.`);
      clock = value;
    };
    const note = (events, turn) => {
      for (const event of some(events)) {
        if (!Array.isArray(event)) refuse(`Turn ${turn + 1}: an event of the log is not a list.`);
        this.log.push({ i, turn, t: clock, text: told(event), event });
      }
    };
    this.turns.forEach((t, turn) => {
      const where = `Turn ${turn + 1}`;
      if (turn === 0 || c.moves > c.heap.size + c.ready.length - c.head + 256) {
        this.checkpoints.set(turn, c.copy());
        c.moves = 0;
      }
      this.first[turn] = i;
      if (this.before.has(turn)) {
        c.effects(this.before.get(turn), `Before turn ${turn + 1}`);
        note(this.before.get(turn).log, turn);
        i += 1;
      }
      later(t.t, where);
      if (t.woke !== undefined) later(t.woke, where);
      else if (some(t.ran).length) refuse(`${where}: handles run, and select never returned.`);
      for (let step = 1; step <= 5; step += 1) c.step(turn, step);
      i += t.woke === undefined ? 3 : 5;
      for (const r of some(t.ran)) {
        later(r.t, where);
        later(r.end, where);
        c.handle(turn, r);
        note(r.log, turn);
        i += 1;
      }
      handles += some(t.ran).length;
      if (!some(t.ran).length && t.woke !== undefined) i += 1;
      later(t.end, where);
    });
    this.first[this.turns.length] = i;
    c.effects(this.before.get(this.turns.length) ?? {}, 'After the last turn');
    note(this.before.get(this.turns.length)?.log, this.turns.length);
    this.length = i + 1;
    this.totals = { turns: this.turns.length, handles, t_end: clock };
  }

  /** The name of a handle; a timer of the library says whose it is. */
  label(id) {
    const { name, task } = this.handles[id];
    return name.includes(':') || task === undefined ? name : `${name} of ${this.tasks[task]}`;
  }

  /** The number of the task a handle belongs to, or -1. */
  task(id) {
    return this.handles[id]?.task ?? -1;
  }

  /** The last turn for which `before(turn)` holds; `before` must hold for a first part of the turns. */
  last(before, end = this.turns.length) {
    let low = 0;
    while (low < end) {
      const middle = (low + end + 1) >> 1;
      if (before(middle)) low = middle;
      else end = middle - 1;
    }
    return low;
  }

  /** Moment i: its turn, step, number of the handle in the turn (or -1), the handle's id, from t until. */
  moment(i) {
    const turn = this.last((k) => this.first[k] <= i);
    const t = this.turns[turn];
    const at = i - this.first[turn] - (this.before.has(turn) && t ? 1 : 0);
    const here = { i, turn, step: 0, index: -1, handle: -1, t: t?.t ?? this.totals.t_end };
    here.until = here.t;
    if (!t || at < 0) return here;
    here.step = Math.min(at + 1, 6);
    if (here.step >= 3) here.until = t.woke ?? t.t;
    if (here.step > 3) here.t = here.until;
    const ran = here.step === 6 && some(t.ran)[at - 5];
    return ran ? { ...here, index: at - 5, handle: ran.h, t: ran.t, until: ran.end } : here;
  }

  /** The moment of a turn's step, or of one handle in its step 6. */
  at(turn, step = 1, index = 0) {
    if (turn >= this.turns.length) return this.length - 1;
    const i = this.first[turn] + (this.before.has(turn) ? 1 : 0) + step - 1 + index;
    return Math.min(i, this.first[turn + 1] - 1);
  }

  /** The moment at a time of the clock: the last one that has begun by then. */
  atTime(time) {
    const turn = this.last((k) => this.turns[k].t <= time, this.turns.length - 1);
    const t = this.turns[turn];
    if (time < (t.woke ?? Infinity)) return this.at(turn, 3);
    const index = some(t.ran).findLastIndex((r) => r.t <= time);
    return this.at(turn, 6, Math.max(index, 0));
  }

  /** What stands in the containers once moment i has done its part. */
  state(i) {
    const m = this.moment(i);
    let turn = m.turn;
    while (!this.checkpoints.has(turn)) turn -= 1;
    const c = new Containers(this, this.checkpoints.get(turn));
    for (; turn <= m.turn; turn += 1) {
      const here = turn === m.turn;
      if (this.before.has(turn)) c.effects(this.before.get(turn), '');
      if (here && !m.step) break;
      const t = this.turns[turn];
      for (let step = 1; step <= (here ? Math.min(m.step, 5) : 5); step += 1) c.step(turn, step);
      const until = !here ? Infinity : m.step === 6 ? m.index + 1 : 0;
      some(t.ran).slice(0, until).forEach((r) => c.handle(turn, r));
    }
    const s = c.copy();
    s.heap.sort((a, b) => this.handles[a].when - this.handles[b].when || a - b);
    const e = this.effects(m);
    const t = this.turns[m.turn];
    return {
      ...s, t: m.until, cancelled: c.cancelled, running: m.handle < 0 ? null : m.handle,
      asleep: m.step === 3 && m.until > m.t, moved: [...some(e.ready), ...some(e.heap), ...some(e.swept)],
      ccount: t?.ccount?.[m.step ? 1 : 0] ?? 0,
    };
  }

  /** What a moment did: ready, heap, swept, cancelled, added, removed, log; each may be absent. */
  effects({ turn, step, index }) {
    const t = this.turns[turn];
    if (step === 0) return this.before.get(turn) ?? {};
    if (step === 6) return some(t.ran)[index] ?? {};
    return { 1: { swept: t.swept }, 4: { ready: t.events }, 5: { ready: t.due } }[step] ?? {};
  }

  /** Whether nothing is to be seen at moment i: a step that finds nothing to do. */
  quiet(i) {
    const m = this.moment(i);
    if (m.step === 3) return m.until === m.t && this.turns[m.turn].woke !== undefined;
    return m.step === 2 || (m.step % 6 > 0 && !Object.values(this.effects(m)).some((list) => some(list).length));
  }

  /** The next moment of a kind ("moment", "handle", "step", "turn", "event"; `by` -1: back); i if there is none. */
  next(i, kind = 'moment', by = 1) {
    const m = this.moment(i);
    const end = this.length - 1;
    if (kind === 'moment') return Math.max(0, Math.min(end, i + by));
    if (kind === 'turn') {
      if (by < 0 && i === this.at(m.turn)) return this.at(Math.max(0, m.turn - 1));
      return by < 0 ? Math.min(i, this.at(m.turn)) : this.at(m.turn + (m.step ? 1 : 0));
    }
    if (kind === 'event') {
      const entry = by > 0 ? this.log.find((e) => e.i > i) : this.log.findLast((e) => e.i < i);
      return entry ? entry.i : i;
    }
    for (let k = i + by; k >= 0 && k <= end; k += by) {
      const { turn, step, index } = this.moment(k);
      if (kind === 'handle' ? index >= 0 : index < 1 && (turn !== m.turn || step !== m.step)) return k;
    }
    return kind === 'step' ? (by > 0 ? end : 0) : i;
  }

  /** The next moment after i that a search means: "turn 12", "120 ms", or part of a name or an event; or -1. */
  find(query, i = -1, by = 1) {
    const text = query.trim().toLowerCase();
    const number = /^(?:turn\s*(\d+)|([\d.]+)\s*ms)$/.exec(text);
    if (number?.[1]) return +number[1] >= 1 && +number[1] <= this.turns.length ? this.at(number[1] - 1) : -1;
    if (number) return this.atTime(+number[2]);
    const said = new Map();
    for (const e of this.log) said.set(e.i, `${said.get(e.i) ?? ''} ${e.text.toLowerCase()}`);
    for (let n = 1, k = i; text && n <= this.length; n += 1) {
      k = (k + by + this.length) % this.length;
      const { handle } = this.moment(k);
      if ((handle >= 0 && this.label(handle).toLowerCase().includes(text)) || said.get(k)?.includes(text)) return k;
    }
    return -1;
  }

  /** Places worth a jump: the phases, the longest run of a handle, the longest sleep, the latest timer, faults. */
  marks() {
    const marks = [];
    const longest = {};
    const most = (kind, value, i, label) => {
      if (value > (longest[kind]?.value ?? 0)) longest[kind] = { value, i, label };
    };
    this.turns.forEach((t, turn) => {
      const of = `turn ${turn + 1}`;
      if (t.phase !== this.turns[turn - 1]?.phase) marks.push({ i: this.at(turn), label: `${t.phase} begins, ${of}` });
      if (t.woke > t.t) most('sleep', t.woke - t.t, this.at(turn, 3), `longest sleep: ${ms(t.woke - t.t)}, ${of}`);
      for (const id of some(t.due)) {
        const late = t.woke - this.handles[id].when;
        most('late', late, this.at(turn, 5), `latest timer: ${this.label(id)}, by ${ms(late)}, ${of}`);
      }
      some(t.ran).forEach((r, k) => {
        const i = this.at(turn, 6, k);
        most('busy', r.end - r.t, i, `longest handle: ${this.label(r.h)}, ${ms(r.end - r.t)}, ${of}`);
        for (const e of some(r.log)) {
          if (['caught', 'unhandled', 'slow'].includes(e[1])) marks.push({ i, label: `${told(e)}, ${of}` });
        }
      });
      if (t.raised) marks.push({ i: this.first[turn + 1] - 1, label: `${t.raised} leaves ${of}` });
    });
    return [...marks, ...Object.values(longest)].sort((a, b) => a.i - b.i).slice(0, 60);
  }

  /** One sentence that tells moment i to who cannot see it. */
  sentence(i) {
    const m = this.moment(i);
    const t = this.turns[m.turn];
    const e = this.effects(m);
    const list = (ids) => (some(ids).length > 4 ? `${ids.length} handles` : names(some(ids).map((id) => this.label(id))));
    const did = [
      some(e.ready).length && `queues ${list(e.ready)}`,
      some(e.heap).length && `schedules ${names(some(e.heap).slice(0, 4).map((id) => `${this.label(id)} for ${ms(this.handles[id].when)}`))}`,
      some(e.cancelled).length && `cancels ${list(e.cancelled)}`,
      some(e.added).length && `watches ${names(e.added.map((r) => this.readers[r].name))}`,
      some(e.removed).length && `no longer watches ${names(e.removed.map((r) => this.readers[r].name))}`,
      some(e.log).length && `says ${some(e.log).slice(0, 3).map((x) => `“${told(x)}”`).join(', ')}`,
    ].filter(Boolean).join('; ');
    if (!t) return `The run is over: ${this.totals.turns} turns, ${this.totals.handles} handles, ${ms(m.t)}.`;
    if (!m.step) return `Before turn ${m.turn + 1}, outside the loop: ${did || 'nothing'}.`;
    const head = `Turn ${m.turn + 1}, step ${m.step}`;
    const left = t.raised && i === this.first[m.turn + 1] - 1 ? ` ${t.raised} leaves the turn.` : '';
    const first = this.state(i).heap[0];
    switch (m.step) {
      case 1: return `${head}: ${some(t.swept).length ? `drops ${list(t.swept)}, cancelled, from the heap` : 'no cancelled timer to drop'}.`;
      case 2: return `${head}: ${this.timeout(t, first)}.`;
      case 3: {
        if (t.woke === undefined) return `${head}: select never returns.${left}`;
        if (t.woke === t.t) return `${head}: select looks and returns at once.`;
        const timer = first !== undefined && this.handles[first].when <= t.woke ? `, until ${this.label(first)} is due` : '';
        return `${head}: select sleeps ${ms(t.woke - t.t)}${timer}.`;
      }
      case 4: return `${head}: ${some(t.events).length ? `events queue ${list(t.events)}` : 'no event'}.`;
      case 5: {
        const late = some(t.due).length && t.woke - this.handles[t.due[0]].when;
        return `${head}: ${some(t.due).length ? `${list(t.due)} to ready${late > 0 ? `, ${ms(late)} late` : ''}` : 'no timer is due'}.`;
      }
      default: {
        if (m.handle < 0) return `${head}: no handle to run.${left}`;
        const of = `${head}, handle ${m.index + 1} of ${t.ran.length}: ${this.label(m.handle)}`;
        if (t.ran[m.index].skipped) return `${of} was cancelled, so it is skipped.`;
        const busy = m.until > m.t ? ` and holds the thread for ${ms(m.until - m.t)}` : '';
        return `${of} runs${busy}${did ? `; it ${did}` : ''}.${left}`;
      }
    }
  }

  /** Why step 2 found the timeout it found. */
  timeout(t, first) {
    const ready = this.state(this.at(this.turns.indexOf(t), 1)).ready.length;
    if (t.timeout === null) return 'nothing is ready and no timer is set, so select may sleep without end';
    if (ready) return `${ready} ready, so the timeout is 0`;
    if (t.timeout > 0) return `nothing is ready and ${this.label(first)} is due at ${ms(this.handles[first].when)}, so the timeout is ${ms(t.timeout)}`;
    return first !== undefined && this.handles[first].when <= t.t
      ? `${this.label(first)} is due already, so the timeout is 0` : 'the loop was told to stop, so the timeout is 0';
  }
}
