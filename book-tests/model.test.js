/* The model of a run, in Node: moments, states against a replay of their own, sentences, jumps, and each fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault, load, ms, told } from '../book/components/model.js';
import { long, replay, small } from './runs.js';

const named = (run, state) => ({
  running: state.running === null ? [] : [run.label(state.running)], ready: state.ready.map((id) => run.label(id)),
  readers: state.readers.map((r) => run.readers[r].name), heap: state.heap.map((id) => run.label(id)),
});

for (const [name, file] of [['the small run', small()], ['a run of 3,000 handles', long(3000)]]) {
  test(`${name}: at each moment the containers hold what a plain replay holds, in any order of asking`, () => {
    const run = load(structuredClone(file));
    const all = replay(file);
    assert.equal(run.length, all.length);
    // Forward, back, and by leaps that meet every moment.
    const order = [...all.keys(), ...[...all.keys()].reverse(), ...[...all.keys()].map((i) => (i * 7919) % all.length)];
    for (const i of order) {
      const { turn, step, ...expected } = all[i];
      assert.deepEqual({ turn: run.moment(i).turn, step: run.moment(i).step }, { turn, step });
      assert.deepEqual(named(run, run.state(i)), expected, `moment ${i}`);
    }
  });
}

test('a moment is found by its turn, step and handle', () => {
  const run = load(small());
  for (let i = 0; i < run.length - 1; i += 1) {
    const { turn, step, index } = run.moment(i);
    if (step) assert.equal(run.at(turn, step, Math.max(index, 0)), i);
  }
  assert.equal(run.at(99), run.length - 1);
  assert.deepEqual(run.moment(run.at(0, 6)), { i: 6, turn: 0, step: 6, index: 0, handle: 0, t: 0, until: 50 });
});

test('a state in a long run is built from a checkpoint near to it', () => {
  const run = load(long(20000));
  let looked = 0;
  const { moments } = run;
  run.moments = new Proxy(moments, { get(target, key) {
    looked += 1;
    return target[key];
  } });
  run.state(run.length - 1);
  assert.ok(looked < 1000, `${looked} of ${run.length} moments were replayed`);
  const kept = [...run.checkpoints.values()].reduce((sum, c) => sum + c.ready.length + c.heap.length, 0);
  assert.ok(kept < 20000, `${kept} numbers are kept in checkpoints`);
});

test('cancelled handles are told apart until they are gone, and what moved is told', () => {
  const run = load(small());
  const at = (...where) => run.state(run.at(...where));
  assert.deepEqual([...at(1, 6, 0).cancelled], [3, 6]);
  assert.deepEqual([...at(1, 6, 1).cancelled], [3]);
  assert.deepEqual([...at(2, 1).cancelled], []);
  assert.deepEqual(at(2, 1).moved, [3]);
  assert.deepEqual(at(1, 4).moved, [4]);
  assert.deepEqual(at(1, 5).moved, [2]);
  assert.deepEqual(at(0, 6).moved, [1, 6, 2, 3]);
  assert.equal(at(3, 3).asleep, true);
  assert.equal(at(1, 3).asleep, false);
});

test('a sentence for each moment', () => {
  const run = load(small());
  const said = (...where) => run.sentence(run.at(...where));
  assert.equal(run.sentence(0), 'Before turn 1, outside the loop: queues step:main.');
  assert.equal(said(0, 1), 'Turn 1, step 1: no cancelled timer to drop.');
  assert.equal(said(0, 2), 'Turn 1, step 2: 1 ready, so the timeout is 0.');
  assert.equal(said(0, 6), 'Turn 1, step 6: handle 1 of 1, step:main, holds the thread for 50 ms; it queues step:pulse and call:never; '
    + 'schedules sleep of pulse for 10 ms and call:late for 400 ms; watches io:r; says “main: log go”.');
  assert.equal(said(1, 3), 'Turn 2, step 3: select looks and returns at once.');
  assert.equal(said(1, 4), 'Turn 2, step 4: what select found queues io:r.');
  assert.equal(said(1, 5), 'Turn 2, step 5: sleep of pulse to ready, 40 ms late.');
  assert.equal(said(1, 6, 0), 'Turn 2, step 6: handle 1 of 4, step:pulse, runs; it cancels call:late and call:never.');
  assert.equal(said(1, 6, 1), 'Turn 2, step 6: handle 2 of 4, call:never, was cancelled and is skipped.');
  assert.equal(said(1, 6, 2), 'Turn 2, step 6: handle 3 of 4, io:r, runs; it no longer watches io:r.');
  assert.equal(said(2, 1), 'Turn 3, step 1: call:late, cancelled, leaves the heap.');
  assert.equal(said(3, 3), 'Turn 4, step 3: select sleeps 30 ms.');
  assert.equal(said(3, 6), 'Turn 4, step 6: no handle to run.');
  assert.equal(run.sentence(run.length - 1), 'The run is over: 4 turns, 6 handles, 80 ms.');
});

test('the timeout is explained: a timer to come, one that is due, stop, and nothing at all', () => {
  const file = (timeout, when) => load({
    format: 'loop-run/1', tasks: ['a'], handles: [{ name: 'sleep', when, task: 0 }], between: when === undefined ? [] : [{ turn: 0, heap: [0] }],
    turns: [{ t: 5, timeout, woke: 5 + timeout, end: 5 + timeout }],
  });
  const why = (run) => run.sentence(run.at(0, 2)).replace('Turn 1, step 2: ', '');
  assert.equal(why(file(7, 12)), 'nothing is ready and sleep of a is due at 12 ms, so the timeout is 7 ms.');
  assert.equal(why(file(0, 3)), 'sleep of a is due already, so the timeout is 0.');
  assert.equal(why(file(0, 12)), 'the loop was told to stop, so the timeout is 0.');
  assert.equal(why(file(null)), 'nothing is ready and no timer is set, so the timeout is None.');
  const run = file(7, 12);
  assert.equal(run.sentence(run.at(0, 3)), 'Turn 1, step 3: select sleeps 7 ms, until sleep of a is due.');
});

test('an exception that leaves select or a handle ends the turn', () => {
  const file = small();
  file.turns[3] = { phase: 'x', t: 50, timeout: null, end: 50, raised: 'Deadlock' };
  const run = load(file);
  assert.equal(run.sentence(run.at(3, 6)), 'Turn 4, step 3: select never returns. Deadlock leaves the turn.');
  file.turns[2].raised = 'ValueError:x';
  assert.match(load(file).sentence(run.at(2, 6)), /ValueError:x leaves the turn\.$/);
});

test('next and back, by moments, steps, handles, turns and events', () => {
  const run = load(small());
  const walk = (kind, by, from) => {
    const way = [];
    for (let i = from, to = run.next(i, kind, by); to !== i; i = to, to = run.next(i, kind, by)) way.push(to);
    return way;
  };
  const end = run.length - 1;
  for (const kind of ['moment', 'step', 'handle', 'turn', 'event']) {
    const on = walk(kind, 1, 0);
    const back = walk(kind, -1, end);
    assert.deepEqual(back.toReversed().filter((i) => i > 0), on.filter((i) => i < end), kind);
  }
  assert.deepEqual(walk('turn', 1, 0), [1, 7, 16, 22, 28]);
  assert.deepEqual(walk('event', 1, 0), [6, 21, 28]);
  assert.deepEqual(walk('handle', 1, 0), [6, 12, 13, 14, 15, 21]);
  assert.equal(run.next(end), end);
  assert.equal(run.next(0, 'moment', -1), 0);
});

test('a search means a turn, a time, a name or an event', () => {
  const run = load(small());
  assert.equal(run.find('turn 3'), run.at(2));
  assert.equal(run.find('turn 9'), -1);
  assert.equal(run.moment(run.find('60 ms')).step, 3);
  assert.equal(run.find('PULSE'), run.at(1, 6, 0));
  assert.equal(run.find('pulse', run.at(1, 6, 0)), run.at(1, 6, 3));
  assert.equal(run.find('pulse', run.at(1, 6, 0), -1), run.at(2, 6));
  assert.equal(run.find('caught'), run.at(2, 6));
  assert.equal(run.find('nobody'), -1);
  assert.equal(run.find('  '), -1);
});

test('marks lead to the phases, the longest and latest, and what went wrong', () => {
  assert.deepEqual(load(small()).marks().map((m) => m.label), [
    'turn 1: run:main begins', 'turn 1: step:main, the longest handle, 50 ms', 'turn 2: sleep of pulse, the latest timer, by 40 ms',
    'turn 3: pulse: caught ValueError:x', 'turn 4: asyncgens begins', 'turn 4: longest sleep, 30 ms', 'turn 5: outside: unhandled x',
  ]);
});

test('a step is quiet when it finds nothing to do', () => {
  const run = load(small());
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((step) => run.quiet(run.at(1, step))), [true, true, true, false, false, false]);
  assert.equal(run.quiet(run.at(3, 3)), false);
  assert.equal(run.quiet(run.at(1, 6, 1)), false);
});

test('on a real clock, to look into select takes time and is no sleep', () => {
  const file = small();
  file.turns[3].timeout = 0;
  const run = load(file);
  assert.equal(run.state(run.at(3, 3)).asleep, false);
  assert.equal(run.sentence(run.at(3, 3)), 'Turn 4, step 3: select looks and returns at once.');
  assert.equal(run.quiet(run.at(3, 3)), true);
  assert.equal(run.marks().some((m) => m.label.includes('sleep,')), false);
});

test('numbers and events as text', () => {
  assert.equal(ms(100), '100 ms');
  assert.equal(ms(0.1 + 0.2), '0.3 ms');
  assert.equal(told(['a', 'log', 1, null, 'x']), 'a: log 1 null x');
});

const broken = (change) => () => {
  const file = small();
  change(file);
  return load(file);
};
const FAULTS = [
  ['not JSON', () => load('{"format":'), /^This is not JSON: /],
  ['a list', () => load('[]'), /no "format"/],
  ['null', () => load('null'), /no "format"/],
  ['a trace', () => load('{"turns": []}'), /no "format"/],
  ['another format', () => load('{"format": "loop-grid/1"}'), /The format is "loop-grid\/1"; this page reads "loop-run\/1"/],
  ['no turns', broken((f) => { delete f.turns; }), /The list "turns" is missing/],
  ['handles that are no list', broken((f) => { f.handles = {}; }), /The list "handles" is missing/],
  ['a handle without a name', broken((f) => { f.handles[2] = {}; }), /Handle number 2 has no name/],
  ['a number out of range', broken((f) => { f.turns[0].ran[0].ready.push(77); }), /^Turn 1: there is no number 77 in the file/],
  ['a number that is none', broken((f) => { f.turns[0].ran[0].ready.push('x'); }), /^Turn 1: there is no number "x"/],
  ['a reader out of range', broken((f) => { f.turns[0].ran[0].added = [4]; }), /^Turn 1: there is no number 4/],
  ['a handle not at the head', broken((f) => { f.turns[1].ran.reverse(); }), /^Turn 2: sleep of pulse runs and is not at the head of ready/],
  ['a timer due that is not there', broken((f) => { f.turns[2].due = [2]; }), /^Turn 3: step 5 takes sleep of pulse, which is not on the heap/],
  ['a timer swept that is not there', broken((f) => { f.turns[3].swept = [2]; }), /^Turn 4: step 1 takes sleep of pulse/],
  ['a timer without a deadline', broken((f) => { delete f.handles[3].when; }), /call:late is on the heap and has no deadline/],
  ['a heap of another size', broken((f) => { f.turns[1].heap = [3, 3]; }), /^Turn 2: the file says 3 timers on the heap, and 2 were put there/],
  ['another ready', broken((f) => { f.turns[1].ready = [1]; }), /^Turn 2: the file says 1 are in ready, and 1,6 were put there/],
  ['a clock that goes back', broken((f) => { f.turns[2].t = 10; }), /^Turn 3: the clock goes back, from 50 ms to 10 ms/],
  ['a handle that ends before it begins', broken((f) => { f.turns[0].ran[0].end = -1; }), /the clock goes back/],
  ['no time', broken((f) => { delete f.turns[2].t; }), /^Turn 3: a time is missing/],
  ['a time that is text', broken((f) => { f.turns[2].t = '50'; }), /^Turn 3: a time is missing/],
  ['handles without select', broken((f) => { delete f.turns[1].woke; }), /^Turn 2: handles run, and select never returned/],
  ['a turn that is null', broken((f) => { f.turns[1] = null; }), /^It is not built like a run file: /],
  ['an event that is no list', broken((f) => { f.turns[0].ran[0].log = [5]; }), /^It is not built like a run file: /],
];
for (const [name, act, message] of FAULTS) {
  test(`refused by the name of its fault: ${name}`, () => {
    assert.throws(act, (error) => error instanceof Fault && message.test(error.message) && error.message.endsWith('.'));
  });
}
