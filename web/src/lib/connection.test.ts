import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Line, type LineState } from './connection';
import type { Events, Welcome } from './protocol';

class Socket {
  static all: Socket[] = [];
  sent: { request: string; type: string }[] = [];
  isClosed = false;
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.isClosed = true;
  }
  hear(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  break(code = 1006) {
    this.onclose({ code });
  }
}

const WELCOME = { type: 'welcome', n: 3, now: 0, chat: [] };
let n: number | null = null;
let heard: (Welcome | Events)[] = [];
let states: [LineState, string][] = [];
const last = () => Socket.all.at(-1) as Socket;

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  n = null;
  heard = [];
  states = [];
  const events = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'souk' });
  vi.stubGlobal('document', { hidden: false, ...events });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('window', { setTimeout: (act: () => void, ms: number) => setTimeout(act, ms) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function line() {
  return new Line(
    'T',
    () => n,
    (message) => heard.push(message),
    (state, why) => states.push([state, why]),
  );
}

test('a broken line comes back where it was, and asks again what was not answered', async () => {
  const talk = line();
  expect(last().url).toBe('ws://souk/api/tables/T/live');
  last().hear(WELCOME);
  n = 3;
  const answer = talk.ask({ type: 'start' });
  expect(last().sent).toHaveLength(1);
  last().break();
  expect(talk.state).toBe('lost');
  await vi.advanceTimersByTimeAsync(400);
  expect(Socket.all).toHaveLength(2);
  expect(last().url).toMatch(/\?after=3$/);
  last().hear({ type: 'events', events: [], now: 0 });
  expect(last().sent).toEqual(Socket.all[0]?.sent);
  last().hear({ type: 'ack', request: last().sent[0]?.request, n: 4, version: 0 });
  expect((await answer).type).toBe('ack');
  expect(states.map(([state]) => state)).toEqual(['open', 'lost', 'open']);
  talk.close();
});

test('it waits longer each time', async () => {
  const talk = line();
  for (const [most, count] of [[400, 2], [800, 3], [1500, 4]] as const) {
    last().break();
    await vi.advanceTimersByTimeAsync(most);
    expect(Socket.all).toHaveLength(count);
  }
  talk.close();
});

test('a second line silences the first', () => {
  const talk = line();
  const first = last();
  first.hear(WELCOME);
  talk.again();
  expect(first.isClosed).toBe(true);
  first.hear({ type: 'events', events: [], now: 0 });
  expect(heard).toHaveLength(1);
  first.break();
  expect(talk.state).toBe('connecting');
  last().hear(WELCOME);
  expect(talk.state).toBe('open');
  talk.close();
});

test('a table that is not there, and a goodbye for good, end the line', async () => {
  const talk = line();
  last().hear({ type: 'goodbye', reason: 'There is no such table.', reconnect: false });
  last().break(4404);
  expect(states.at(-1)).toEqual(['ended', 'no-such-table']);
  await expect(talk.ask({ type: 'start' })).rejects.toThrow();
  line();
  last().hear({ type: 'goodbye', reason: 'Too many lines.', reconnect: false });
  last().break(4429);
  expect(states.at(-1)).toEqual(['ended', 'Too many lines.']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Socket.all).toHaveLength(2);
});

test('silence is asked about, and a line that does not answer is closed', async () => {
  const talk = line();
  last().hear(WELCOME);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(last().sent.at(-1)?.type).toBe('ping');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(last().isClosed).toBe(true);
  talk.close();
});
