import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type ConnectionState } from './connection';
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
  receive(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  drop(code = 1006) {
    this.onclose({ code });
  }
}

const WELCOME = { type: 'welcome', n: 3, now: 0, chat: [] };
let lastSeen: number | null = null;
let received: (Welcome | Events)[] = [];
let states: [ConnectionState, string][] = [];
const last = () => Socket.all.at(-1) as Socket;

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  lastSeen = null;
  received = [];
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

function connect() {
  return new Connection(
    'T',
    () => lastSeen,
    (message) => received.push(message),
    (state, reason) => states.push([state, reason]),
  );
}

test('a lost connection resumes after the last event and sends pending commands again', async () => {
  const connection = connect();
  expect(last().url).toBe('ws://souk/api/tables/T/live');
  last().receive(WELCOME);
  lastSeen = 3;
  const answer = connection.send({ type: 'start' });
  expect(last().sent).toHaveLength(1);
  last().drop();
  expect(connection.state).toBe('lost');
  await vi.advanceTimersByTimeAsync(400);
  expect(Socket.all).toHaveLength(2);
  expect(last().url).toMatch(/\?after=3$/);
  last().receive({ type: 'events', events: [], now: 0 });
  expect(last().sent).toEqual(Socket.all[0]?.sent);
  last().receive({ type: 'ack', request: last().sent[0]?.request, n: 4, version: 0 });
  expect((await answer).type).toBe('ack');
  expect(states.map(([state]) => state)).toEqual(['open', 'lost', 'open']);
  connection.close();
});

test('it waits longer before each retry', async () => {
  const connection = connect();
  for (const [pauseMs, sockets] of [[400, 2], [800, 3], [1500, 4]] as const) {
    last().drop();
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(Socket.all).toHaveLength(sockets);
  }
  connection.close();
});

test('messages of a replaced socket are ignored', () => {
  const connection = connect();
  const first = last();
  first.receive(WELCOME);
  connection.reconnect();
  expect(first.isClosed).toBe(true);
  first.receive({ type: 'events', events: [], now: 0 });
  expect(received).toHaveLength(1);
  first.drop();
  expect(connection.state).toBe('connecting');
  last().receive(WELCOME);
  expect(connection.state).toBe('open');
  connection.close();
});

test('an unknown table and a final goodbye end the connection', async () => {
  const connection = connect();
  last().receive({ type: 'goodbye', reason: 'There is no such table.', reconnect: false });
  last().drop(4404);
  expect(states.at(-1)).toEqual(['ended', 'no-such-table']);
  await expect(connection.send({ type: 'start' })).rejects.toThrow();
  connect();
  last().receive({ type: 'goodbye', reason: 'Too many connections.', reconnect: false });
  last().drop(4429);
  expect(states.at(-1)).toEqual(['ended', 'Too many connections.']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Socket.all).toHaveLength(2);
});

test('after silence it sends a ping, and closes a socket that does not answer', async () => {
  const connection = connect();
  last().receive(WELCOME);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(last().sent.at(-1)?.type).toBe('ping');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(last().isClosed).toBe(true);
  connection.close();
});

test('a command that was answered leaves no timer behind', async () => {
  const connection = connect();
  last().receive(WELCOME);
  const before = vi.getTimerCount();
  const answer = connection.send({ type: 'hint' }, 70_000);
  expect(vi.getTimerCount()).toBe(before + 1);
  last().receive({ type: 'ack', request: last().sent.at(-1)?.request });
  await answer;
  expect(vi.getTimerCount()).toBe(before);
});
