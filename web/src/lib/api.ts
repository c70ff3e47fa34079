/** What is asked once, over HTTP. */
import type { AnalysisReply, GameView, LinkBody, Replay, RulesView, TableView, Verification, Welcome } from './protocol';
import { reach } from './serverStatus.svelte';

/** The server said no, and why. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
    readonly status: number,
  ) {
    super(sentence);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    reach.lost();
    throw new Refusal('away', '', 0);
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.status >= 500 && said.code === undefined) {
    reach.lost(); // a proxy answers in the server's place
    throw new Refusal('away', '', answer.status);
  }
  reach.found();
  if (!answer.ok) throw new Refusal(said.code ?? 'internal-error', said.message ?? answer.statusText, answer.status);
  return said as T;
}

export interface Me {
  id: string;
  name: string;
  bot: boolean;
}

export interface NewTable {
  game: string;
  seats?: ({ kind: 'me'; name?: string } | { kind: 'open' } | { kind: 'computer'; level?: string })[];
  public?: boolean;
  seconds?: number;
  absent?: 'at-once' | 'grace' | 'never';
  grace?: number;
  start?: boolean;
  request?: string;
}

export const api = {
  get: <T>(path: string) => ask<T>('GET', path),
  post: <T>(path: string, body?: unknown) => ask<T>('POST', path, body ?? {}),

  /** Who I am; null without an identity. */
  async me(): Promise<Me | null> {
    try {
      return await ask<Me | null>('GET', '/me?optional=true');
    } catch (error) {
      if (error instanceof Refusal && error.code === 'no-identity') return null;
      throw error;
    }
  },
  callMe: (name: string) => ask<Me>('POST', '/me', { name }),
  linkMe: () => ask<LinkBody>('POST', '/me/link'),
  claim: (code: string) => ask<Me>('POST', '/me/claim', { code }),
  games: () => ask<GameView[]>('GET', '/games'),
  tables: (status: string) => ask<TableView[]>('GET', `/tables?status=${status}`),
  mine: () => ask<TableView[]>('GET', '/me/tables'),
  table: (id: string) => ask<Welcome>('GET', `/tables/${id}`),
  create: (table: NewTable) => ask<Welcome>('POST', '/tables', table),
  rematch: (id: string) => ask<Welcome>('POST', `/tables/${id}/rematch`),
  rules: (name: string, game: string, language: string) =>
    ask<RulesView>('GET', `/games/${name}/rules?${new URLSearchParams({ language, game })}`),
  replay: (id: string) => ask<Replay>('GET', `/tables/${id}/replay`),
  replayOf: (record: string) => ask<Replay>('POST', '/replay', { record }),
  analysis: (id: string) => ask<AnalysisReply>('GET', `/tables/${id}/analysis`),
  analysisOf: (record: string) => ask<AnalysisReply>('POST', '/analysis', { record }),
  verify: (record: string) => ask<Verification>('POST', '/verify', { record }),
  /** The record of a table, as text. */
  async record(id: string): Promise<string> {
    const answer = await fetch(`/api/tables/${id}/record`).catch(() => null);
    if (!answer?.ok) throw new Refusal('away', '', answer?.status ?? 0);
    return answer.text();
  },
};
