import { afterEach, expect, test, vi } from 'vitest';
import { LiveTable } from './liveTable.svelte';

let receive: (message: object) => void;
class Socket {
  onmessage: (event: { data: string }) => void = () => {};
  constructor() {
    receive = (message) => this.onmessage({ data: JSON.stringify(message) });
  }
  send() {}
  close() {}
}

afterEach(() => vi.unstubAllGlobals());

test('a history hash that an undo may still change is not noted', async () => {
  const events = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'souk' });
  vi.stubGlobal('document', { hidden: false, ...events });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('window', { setTimeout });
  const table = new LiveTable(
    'T',
    () => null,
    () => {},
  );
  const noted = async (history_hash: string, undo: number | null) => {
    receive({ type: 'events', events: [], now: 0, table: null, position: { version: 1, history_hash, undo } });
    await new Promise((resolve) => setTimeout(resolve));
    return table.noted.history_hash;
  };
  expect(await noted('a', null)).toBe('a');
  expect(await noted('b', 0)).toBe('a');
  expect(await noted('c', null)).toBe('c');
  table.close();
});
