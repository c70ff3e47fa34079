/** The HTTP API. */
import type { ActionsBody, AnalysisReply, Description, DescriptionBody, Evaluation, GameStatistics, GameView, LinkBody, LogoutBody, NetworkBody, NewTable, PersonBody, Position, Preview, ReportBody, ServerBody, Replay, RulesView, Study, TableView, Verification, WatchersBody, Welcome } from './protocol';
import { serverStatus } from './serverStatus.svelte';

/** What this browser noted of a game before and while it was played. */
export interface Noted {
  commitment?: string;
  history_hash?: string;
}

/** The server refused a request, or did not answer (code `away`). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly proof?: { challenge: string; bits: number },
    readonly problems: readonly string[] = [], // of a position
  ) {
    super(message);
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    serverStatus.markAway();
    throw new ApiError('away', '', 0);
  }
  const content = await response.json().catch(() => ({}));
  if (response.status >= 500 && content.code === undefined) {
    serverStatus.markAway(); // a proxy answered in the server's place
    throw new ApiError('away', '', response.status);
  }
  serverStatus.markBack();
  if (!response.ok) throw new ApiError(content.code ?? 'internal-error', content.message ?? response.statusText, response.status, content.proof, content.problems);
  return content as T;
}

export interface Me {
  id: string;
  name: string;
  bot: boolean;
}

export const api = {
  /** Return who I am; null without an identity. */
  async me(): Promise<Me | null> {
    try {
      return await request<Me | null>('GET', '/me?optional=true');
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no-identity') return null;
      throw error;
    }
  },
  /** Choose a name; a busy server asks for a proof of work before it gives a new identity. */
  async setName(name: string): Promise<Me> {
    try {
      return await request<Me>('POST', '/me', { name });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.proof) throw error;
      const { solve } = await import('./proofOfWork');
      const proof = await solve(error.proof.challenge, error.proof.bits);
      return request<Me>('POST', '/me', { name, proof });
    }
  },
  createDeviceLink: () => request<LinkBody>('POST', '/me/link'),
  claimIdentity: (code: string) => request<Me>('POST', '/me/claim', { code }),
  logOut: (where: LogoutBody['where']) => request<unknown>('POST', '/me/logout', { where }),
  deleteMe: () => request<unknown>('DELETE', '/me'),
  blocks: () => request<PersonBody[]>('GET', '/me/blocks'),
  block: (person: string) => request<unknown>('PUT', `/me/blocks/${person}`),
  unblock: (person: string) => request<unknown>('DELETE', `/me/blocks/${person}`),
  report: (report: ReportBody) => request<unknown>('POST', '/reports', report),
  /** Return the operator's terms and contact. */
  server: () => request<ServerBody>('GET', '/server'),
  /** Return how others reach the server. */
  network: () => request<NetworkBody>('GET', '/network'),
  switchLan: (lan: boolean) => request<NetworkBody>('PUT', '/network', { lan }),
  games: () => request<GameView[]>('GET', '/games'),
  board: (name: string, game: string) => request<unknown>('GET', `/games/${name}/board?${new URLSearchParams({ game })}`),
  tables: (status: string) => request<TableView[]>('GET', `/tables?status=${status}`),
  /** Return my tables: those in progress first, the newest first. */
  myTables: () => request<TableView[]>('GET', '/me/tables'),
  /** Return a page of my finished games, the newest first: of a game, and those that ended before a table. */
  history: (limit: number, game: string, before: string) =>
    request<TableView[]>('GET', `/me/history?${new URLSearchParams({ limit: `${limit}`, ...(game && { game }), ...(before && { before }) })}`),
  statistics: () => request<GameStatistics[]>('GET', '/me/statistics'),
  removeFromMyTables: (id: string) => request<unknown>('DELETE', `/me/tables/${id}`),
  table: (id: string) => request<Welcome>('GET', `/tables/${id}`),
  watchers: (id: string) => request<WatchersBody>('GET', `/tables/${id}/watchers`),
  createTable: (table: NewTable) => request<Welcome>('POST', '/tables', table),
  rematch: (id: string) => request<Welcome>('POST', `/tables/${id}/rematch`),
  rules: (name: string, game: string, language: string) =>
    request<RulesView>('GET', `/games/${name}/rules?${new URLSearchParams({ language, game })}`),
  tableReplay: (id: string) => request<Replay>('GET', `/tables/${id}/replay`),
  recordReplay: (record: string) => request<Replay>('POST', '/replay', { record }),
  tableAnalysis: (id: string) => request<AnalysisReply>('GET', `/tables/${id}/analysis`),
  recordAnalysis: (record: string) => request<AnalysisReply>('POST', '/analysis', { record }),
  /** Describe a position and the actions that led to it, for games without code on the page. */
  describe: (body: DescriptionBody) => request<Description>('POST', '/description', body),
  /** Return a sentence for each of some actions in a position. */
  describeActions: (body: ActionsBody) => request<string[]>('POST', '/description/actions', body),
  /** Return the positions that actions lead to, from a position or a new game. */
  study: (start: { position?: Position; game?: string; actions?: readonly string[] }) => request<Study>('POST', '/study', start),
  studyPreviews: (position: Position, actions: readonly string[]) => request<Preview[]>('POST', '/study/previews', { position, actions }),
  evaluate: (position: Position, refined: boolean) => request<Evaluation>('POST', '/study/evaluation', { position, refined }),
  verify: (record: string, noted: Noted = {}) => request<Verification>('POST', '/verify', { record, ...noted }),
  /** Return the record of a table, as text. */
  async record(id: string): Promise<string> {
    const response = await fetch(`/api/tables/${id}/record`).catch(() => null);
    if (!response?.ok) throw new ApiError('away', '', response?.status ?? 0);
    return response.text();
  },
};
