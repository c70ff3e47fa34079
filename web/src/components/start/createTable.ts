/** Creates a table on the server and goes there. */
import { gameList } from '../../games';
import { api, ApiError } from '../../lib/api';
import type { NewTable } from '../../lib/protocol';
import { me } from '../../lib/me.svelte';
import { router } from '../../lib/router.svelte';
import { defaultOptions, newTable } from './tableOptions';

let lastRequest = { text: '', id: '' };

/** Return the request id of a new table: the same until the table is created, so that a retry creates no second one. */
function requestId(table: NewTable): string {
  const text = JSON.stringify(table);
  if (lastRequest.text !== text) lastRequest = { text, id: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}` };
  return lastRequest.id;
}

export async function createTable(table: NewTable): Promise<void> {
  const body = { ...table, request: requestId(table) };
  await me.ensure();
  const created = await api.createTable(body).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'no-identity') throw error;
    me.forget();
    await me.ensure();
    return api.createTable(body);
  });
  lastRequest = { text: '', id: '' };
  router.go(`/t/${created.table.id}`, table.start ? null : { invite: true });
}

/** Start a game against friendly computers. */
export async function playComputers(name: string): Promise<void> {
  await gameList.load();
  const game = gameList.find(name);
  if (game) await createTable(newTable(defaultOptions(game)));
}
