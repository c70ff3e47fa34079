/** A live table: everything the server said about it, and what one can do. The page's one state. */
import type { Desk, Game } from '../games/types';
import { gameNamed } from '../games';
import { announce } from './announce.svelte';
import { isRefused, Line, type LineState, type Wish } from './connection';
import type {
  Code, EventKind, Events, EventView, GameEvent, Line as Said, PositionView, Preview, TakeoverReason, TableView, Welcome,
} from './protocol';
import { api } from './api';
import { isolated } from './textFormat';
import { refusedAs } from './errors';
import { said } from './tableEvents';
import { Stage } from './eventPlayer.svelte';

/** Something that happened, for the log: at the table, or in the game. */
export interface Told {
  n: number; // in order; what happened before we came is below 0
  kind: EventKind;
  seat: number | null;
  why: TakeoverReason | null;
  story: readonly GameEvent[];
}

const MOST_TOLD = 400;
const HINT_MS = 70_000; // a server that has just begun compiles its players first
/** Refused to somebody else than we think to be: cookies were cleared, or another tab has others. */
const AS_A_STRANGER: readonly Code[] = ['no-identity', 'not-your-seat', 'not-your-turn', 'not-the-host'];

export class Table {
  line: LineState = $state('connecting');
  why = $state(''); // the line ended
  table: TableView | null = $state.raw(null);
  view: PositionView | null = $state.raw(null);
  chat: Said[] = $state.raw([]);
  log: Told[] = $state.raw([]);
  desk: TableDesk | null = $state.raw(null);
  refused = $state(''); // why the last wish was not granted
  behind = $state(0); // the server's clock minus ours, in milliseconds
  #n: number | null = null;
  #welcomed = 0; // what we knew of when we came
  #line: Line;
  #loading: Promise<void> = Promise.resolve();
  #wishes: Record<string, Promise<boolean>> = {}; // not answered yet

  constructor(
    readonly id: string,
    readonly me: () => string | null,
    readonly mistaken: () => void, // about who we are
  ) {
    this.#line = new Line(
      id,
      () => this.#n,
      (message) => {
        // One after the other: the first message waits for the game to be loaded.
        this.#loading = this.#loading.then(() => this.#take(message)).catch(() => this.#fail());
      },
      (state, why) => {
        this.line = state;
        this.why = why;
      },
    );
  }

  get mine(): number[] {
    const me = this.me();
    return (this.table?.seats ?? []).filter((seat) => seat.person !== null && seat.person === me).map((seat) => seat.seat);
  }

  /** Whether I may start, place computers and so on. */
  get isHost(): boolean {
    const me = this.me();
    return me !== null && (this.table?.host === me || this.table?.deputy === me);
  }

  /** Ask for something; false, and a sentence in `refused`, if it was not granted. A double click asks once. */
  wish(wish: Wish): Promise<boolean> {
    const text = JSON.stringify(wish);
    this.#wishes[text] ??= this.#ask(wish).finally(() => delete this.#wishes[text]);
    return this.#wishes[text];
  }

  async #ask(wish: Wish): Promise<boolean> {
    try {
      const answer = await this.#line.ask(wish);
      this.refused = isRefused(answer) ? refusedAs(answer.code, answer.message) : '';
      announce(this.refused);
      if (isRefused(answer) && answer.position) this.#stand(answer.position);
      if (isRefused(answer) && AS_A_STRANGER.includes(answer.code)) this.mistaken();
      return !isRefused(answer);
    } catch {
      return false; // the banner says that the line is lost
    }
  }

  async preview(action: string): Promise<Preview | null> {
    const answer = await this.#line.ask({ type: 'preview', action }).catch(() => null);
    return answer?.type === 'preview' && answer.version === this.view?.version ? answer.preview : null;
  }

  async hint(): Promise<{ action: string; share: number; level: string } | null> {
    const answer = await this.#line.ask({ type: 'hint' }, HINT_MS).catch(() => null);
    if (answer === null || isRefused(answer)) {
      this.refused = answer ? refusedAs(answer.code, answer.message) : refusedAs('away', '');
      announce(this.refused);
    }
    if (answer?.type !== 'hint' || answer.version !== this.view?.version) return null;
    const best = answer.options[0];
    return best ? { ...best, level: answer.level } : null;
  }

  /** Come again: with the identity that we have by now, or without waiting any longer. */
  again(): void {
    this.#line.again();
  }

  close(): void {
    this.#line.close();
  }

  async #take(message: Welcome | Events): Promise<void> {
    this.behind = message.now - Date.now();
    if (message.table) this.table = message.table;
    if (message.type === 'welcome') {
      this.chat = message.chat;
      this.#n = this.#welcomed = message.n;
    }
    if (message.position && !this.desk && this.table) {
      const game = await gameNamed(this.table.name);
      this.desk = new TableDesk(this, game);
    }
    // After a break we may be told again what we know.
    const events = message.type === 'events' ? message.events.filter((event) => event.n > (this.#n ?? -1)) : [];
    for (const event of events) this.#hear(event);
    if (message.position) {
      this.#stand(message.position, events.flatMap((event) => (event.steps ?? []).map((step) => step.events)));
      if (message.type === 'welcome') void this.#remember(message.position.version);
    }
  }

  /** The game could not be loaded: the page is older than the server, or half of it is missing. */
  #fail(): void {
    this.#line.close();
    this.why = 'not-loaded';
  }

  #hear(event: EventView): void {
    this.#n = event.n;
    if (event.line) {
      this.chat = [...this.chat, event.line].slice(-100);
      if (event.line.person !== this.me()) announce(`${isolated(event.line.name)}: ${event.line.text}`);
    }
    const story = (event.steps ?? []).flatMap((step) => step.events);
    const told = { n: event.n, kind: event.kind, seat: event.seat ?? null, why: event.why ?? null, story };
    this.log = [...this.log, told].slice(-MOST_TOLD);
    announce(said(told, this.table?.seats.map((seat) => seat.name) ?? []));
  }

  /** What was played before we came, for the log. The game goes on without it. */
  async #remember(version: number): Promise<void> {
    if (version === 0) return;
    const replay = await api.replay(this.id).catch(() => null);
    const past = (replay?.frames ?? []).slice(0, version + 1).filter((frame) => frame.events.length);
    const before = past.map((frame, number): Told => {
      return { n: number - past.length, kind: 'acted', seat: frame.seat, why: null, story: frame.events };
    });
    this.log = [...before, ...this.log.filter((told) => told.n > this.#welcomed)].slice(-MOST_TOLD);
  }

  #stand(view: PositionView, steps: GameEvent[][] = []): void {
    const isNew = view.version !== this.view?.version;
    const isLate = this.view !== null && view.version < this.view.version;
    if (isLate) return; // an answer that was overtaken
    this.view = view;
    if (!isNew) return;
    this.refused = '';
    this.desk?.arrive(view, steps);
  }
}

/** A live table as its board sees it. */
export class TableDesk implements Desk {
  considered: string | null = $state(null);
  preview: Preview | null = $state.raw(null);
  hint: { action: string; share: number } | null = $state.raw(null); // what the computer would do
  /** The server's view of what is shown: scores do not run ahead of the story. */
  settled: PositionView = $state.raw() as PositionView;
  readonly stage: Stage;
  #previews: Record<string, Promise<Preview | null>> = {};
  #isActing = $state(false);
  #story = $derived.by(() => {
    const all = this.table.log.flatMap((told) => told.story);
    return all.slice(0, all.length - this.stage.waiting);
  });

  constructor(
    readonly table: Table,
    readonly game: Game,
  ) {
    this.settled = this.view;
    this.stage = new Stage(game, (event) => announce(game.told(event, this.names)));
  }

  get position() {
    return this.stage.position ?? this.view.position;
  }
  get playing() {
    return this.stage.playing;
  }
  get last() {
    return this.stage.last;
  }
  get view(): PositionView {
    return this.table.view as PositionView; // a desk exists only once there is one
  }
  get hinted() {
    return this.hint?.action ?? null;
  }
  get story() {
    return this.#story;
  }
  get seats() {
    return this.table.table?.seats ?? [];
  }
  get names() {
    return this.seats.map((seat) => seat.name);
  }
  /** Whether one of my seats must act, and I myself do. */
  get isMine(): boolean {
    const mover = this.view.mover;
    const seat = mover === null ? undefined : this.seats[mover];
    return seat !== undefined && this.table.mine.includes(seat.seat) && seat.takeover === null && !seat.resigned;
  }
  get legal() {
    return this.isMine && !this.stage.isBusy && !this.#isActing ? this.view.legal : [];
  }

  consider(action: string | null): void {
    this.considered = action;
    this.preview = null;
    if (action !== null)
      void this.previewOf(action).then((preview) => {
        if (this.considered === action) this.preview = preview;
      });
  }

  previewOf(action: string): Promise<Preview | null> {
    return (this.#previews[action] ??= this.table.preview(action));
  }

  act(action: string): void {
    if (!this.legal.includes(action)) return;
    this.#isActing = true;
    this.consider(null);
    void this.table.wish({ type: 'act', version: this.view.version, action }).finally(() => (this.#isActing = false));
  }

  /** The server has another position. */
  arrive(view: PositionView, steps: GameEvent[][]): void {
    this.#previews = {};
    this.consider(null);
    this.hint = null;
    if (steps.length && this.stage.position) this.stage.play(steps, view.position, () => (this.settled = view));
    else {
      this.stage.jump(view.position);
      this.settled = view;
    }
  }
}
