/** Sets up a table and goes there. */
import { api, Refusal, type NewTable } from '../../lib/api';
import { me } from '../../lib/me.svelte';
import { place } from '../../lib/router.svelte';

let asked = { what: '', request: '' };

/** The same wish has the same name until it is granted: asked twice, it makes one table. */
function requestFor(table: NewTable): string {
  const what = JSON.stringify(table);
  if (asked.what !== what) asked = { what, request: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}` };
  return asked.request;
}

export async function found(table: NewTable): Promise<void> {
  const wanted = { ...table, request: requestFor(table) };
  await me.be();
  const { table: made } = await api.create(wanted).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'no-identity') throw error;
    me.forget();
    await me.be();
    return api.create(wanted);
  });
  asked = { what: '', request: '' };
  place.go(`/t/${made.id}`);
}
