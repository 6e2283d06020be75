/*
 * Run files for the tests: a small one written by hand, a long one, and a replay of any run that shares nothing with
 * model.js: what the containers hold after each moment, by names.
 */

/** Two tasks, a timer that comes late, one that is cancelled and swept, a descriptor, an event of each kind. */
export const small = () => ({
  format: 'loop-run/1', name: 'small', title: 'A small run', text: 'All that a run file may hold.', clock: 'virtual',
  source: { rust: ['fn main() {', '    work();', '}'], python: ['def main():', '    work()'] },
  tasks: ['main', 'pulse'],
  handles: [
    { name: 'step:main', task: 0 }, { name: 'step:pulse', task: 1 }, { name: 'sleep', when: 10, task: 1 }, { name: 'call:late', when: 400 },
    { name: 'io:r', reader: 0 }, { name: 'wakeup:pulse', task: 1 }, { name: 'call:never' },
  ],
  readers: [{ name: 'io:r' }],
  turns: [
    { phase: 'run:main', t: 0, timeout: 0, woke: 0, end: 50, heap: [0, 0], ccount: [0, 0], ready: [0],
      ran: [{ h: 0, t: 0, end: 50, ready: [1, 6], heap: [2, 3], added: [0], log: [['main', 'log', 'go']], lines: { rust: [1, 1], python: [1, 1] } }] },
    { phase: 'run:main', t: 50, timeout: 0, woke: 50, end: 50, heap: [2, 2], ccount: [0, 0], ready: [1, 6], events: [4], due: [2],
      ran: [{ h: 1, t: 50, end: 50, cancelled: [3, 6] }, { h: 6, t: 50, end: 50, skipped: true }, { h: 4, t: 50, end: 50, removed: [0] },
        { h: 2, t: 50, end: 50, ready: [5] }] },
    { phase: 'run:main', t: 50, timeout: 0, woke: 50, end: 50, heap: [1, 0], ccount: [1, 0], ready: [5], swept: [3],
      ran: [{ h: 5, t: 50, end: 50, log: [['pulse', 'caught', 'ValueError:x']] }] },
    { phase: 'asyncgens', t: 50, timeout: 30, woke: 80, end: 80, heap: [0, 0], ccount: [0, 0] },
  ],
  between: [{ turn: 0, ready: [0] }, { turn: 4, log: [['outside', 'unhandled', 'x']] }],
  outcome: [['main', 'result', null]], totals: { turns: 4, handles: 6, t_end: 80, longest_turn: 50 },
});

/** A run of so many handles: ten tasks that step and sleep in turn. */
export function long(handles) {
  const run = { format: 'loop-run/1', name: 'long', title: `${handles} handles`, text: 'Ten tasks step and sleep.', clock: 'virtual', tasks: Array.from({ length: 10 }, (_, k) => `task${k}`), handles: [], turns: [], between: [] };
  const make = (handle) => run.handles.push(handle) - 1;
  let ready = run.tasks.map((name, task) => make({ name: `step:${name}`, task }));
  run.between.push({ turn: 0, ready });
  let heap = [];
  for (let t = 0, count = 0; count < handles;) {
    const turn = { phase: 'run:main', t, timeout: ready.length ? 0 : 2, woke: ready.length ? t : t + 2, heap: [heap.length, heap.length], ready, due: ready.length ? [] : heap };
    let clock = turn.woke;
    const queued = [];
    const set = [];
    turn.ran = [...ready, ...turn.due].map((h) => {
      const { name, task } = run.handles[h];
      const ran = { h, t: clock, end: clock += name === 'sleep' ? 0 : 1 };
      if (name.startsWith('step')) ran.heap = [make({ name: 'sleep', when: t + 12, task })];
      else ran.ready = [make({ name: name === 'sleep' ? `wakeup:${run.tasks[task]}` : `step:${run.tasks[task]}`, task })];
      queued.push(...ran.ready ?? []);
      set.push(...ran.heap ?? []);
      return ran;
    });
    if (turn.due.length) heap = [];
    heap = [...heap, ...set];
    ready = queued;
    count += turn.ran.length;
    t = turn.end = clock;
    run.turns.push(turn);
  }
  return run;
}

/** After each moment: the names in ready, on the heap by deadline, the readers, and the handle that runs. */
export function replay(run) {
  const name = (id) => (/:/.test(run.handles[id].name) || run.handles[id].task == null ? run.handles[id].name : `${run.handles[id].name} of ${run.tasks[run.handles[id].task]}`);
  let [ready, heap, readers] = [[], [], []];
  const all = [];
  const put = (turn, step, running) => all.push({
    turn, step, running: running == null ? [] : [name(running)], ready: ready.map(name), readers: readers.map((r) => run.readers[r].name),
    heap: heap.toSorted((a, b) => run.handles[a].when - run.handles[b].when || a - b).map(name),
  });
  const effects = (e) => {
    ready = [...ready, ...e.ready ?? []];
    heap = [...heap, ...e.heap ?? []];
    readers = [...readers, ...e.added ?? []].filter((r) => !e.removed?.includes(r));
  };
  const outside = (turn) => run.between?.filter((b) => b.turn === turn).forEach(effects);
  run.turns.forEach((t, k) => {
    outside(k);
    if (run.between?.some((b) => b.turn === k)) put(k, 0);
    heap = heap.filter((id) => !t.swept?.includes(id));
    put(k, 1);
    put(k, 2);
    put(k, 3);
    if (t.woke === undefined) return;
    ready = [...ready, ...t.events ?? []];
    put(k, 4);
    heap = heap.filter((id) => !t.due?.includes(id));
    ready = [...ready, ...t.due ?? []];
    put(k, 5);
    for (const r of t.ran ?? []) {
      ready = ready.slice(1);
      effects(r);
      put(k, 6, r.h);
    }
    if (!t.ran?.length) put(k, 6);
  });
  outside(run.turns.length);
  put(run.turns.length, 0);
  return all;
}
