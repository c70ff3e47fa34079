/** A live table: everything the server sent about it, and the commands. */
import { loadFrames, loadGame } from '../games';
import type { BoardController, Game } from '../games/types';
import { announce } from './announce.svelte';
import { api, type Noted } from './api';
import { blocks } from './blocks.svelte';
import { Connection, isRefused, type CommandInput, type ConnectionState } from './connection';
import { textOfCode } from './errors';
import { EventPlayer } from './eventPlayer.svelte';
import type {
  ChatLine, Code, EventKind, Events, EventView, GameEvent, Option, PositionView, Preview, ProposalKind, TableView, TakeoverReason, Welcome,
} from './protocol';
import { describeTableEvent } from './tableEvents';
import { isolate } from './textFormat';

/** Something that happened, at the table or in the game. */
export interface LogEntry {
  n: number; // in order; below 0 for what happened before we connected
  kind: EventKind;
  seat: number | null;
  why: TakeoverReason | null;
  what?: ProposalKind | null; // was proposed
  agree?: boolean | null; // of an answer to a proposal
  name?: string | null; // of somebody whom the host muted or removed
  muted?: boolean | null; // whether they may no longer write
  events: readonly GameEvent[];
}

const MAX_LOG = 400;
const MAX_CHAT = 100;
const GUARD_MS = 500; // clicks so soon after the choices changed were meant for what was there before
const MOMENT_MS = 1000; // for an event where nothing may move
const HINT_MS = 70_000; // a server that has just started compiles its players first
/** Codes that mean the server takes us for somebody else: cookies were cleared, or changed in another tab. */
const IDENTITY_CODES: readonly Code[] = ['no-identity', 'not-your-seat', 'not-your-turn', 'not-the-host'];

export class LiveTable {
  connection: ConnectionState = $state('connecting');
  endReason = $state(''); // why the connection ended
  info: TableView | null = $state.raw(null);
  view: PositionView | null = $state.raw(null);
  chat: ChatLine[] = $state.raw([]);
  log: LogEntry[] = $state.raw([]);
  controller: TableController | null = $state.raw(null);
  error = $state(''); // why the last command was refused
  clockOffset = $state(0); // the server's clock minus ours, in milliseconds
  noted: Noted = {}; // to prove the game later
  #lastEvent: number | null = null;
  #welcomeEvent = 0; // the last event when we connected
  #connection: Connection;
  #handling: Promise<void> = Promise.resolve();
  #pending: Record<string, Promise<boolean>> = {}; // commands without an answer yet

  constructor(
    readonly id: string,
    readonly me: () => string | null,
    readonly onWrongIdentity: () => void,
  ) {
    this.#connection = new Connection(
      id,
      () => this.#lastEvent,
      (message) => {
        // One after the other: the first message waits until the game is loaded.
        this.#handling = this.#handling.then(() => this.#receive(message)).catch(() => this.#fail());
      },
      (state, reason) => {
        this.connection = state;
        this.endReason = reason;
      },
      () => this.onWrongIdentity(),
    );
  }

  get mySeats(): number[] {
    const me = this.me();
    return (this.info?.seats ?? []).filter((seat) => seat.person !== null && seat.person === me).map((seat) => seat.seat);
  }

  get names(): string[] {
    return (this.info?.seats ?? []).map((seat) => seat.name);
  }

  /** Whether I may start the game, place computers and so on. */
  get isHost(): boolean {
    const me = this.me();
    return me !== null && (this.info?.host === me || this.info?.deputy === me);
  }

  /** Whether I created the table: then I may mute and remove people. */
  get isCreator(): boolean {
    return this.me() !== null && this.info?.host === this.me();
  }

  /** Send a command; return false and set `error` if it was refused. A double click sends it once. */
  send(command: CommandInput): Promise<boolean> {
    const key = JSON.stringify(command);
    this.#pending[key] ??= this.#send(command).finally(() => delete this.#pending[key]);
    return this.#pending[key];
  }

  async #send(command: CommandInput): Promise<boolean> {
    try {
      const answer = await this.#connection.send(command);
      await this.#handling; // the events that came before it
      this.error = isRefused(answer) ? textOfCode(answer.code, answer.message) : '';
      announce(this.error);
      if (isRefused(answer) && answer.position) this.#setPosition(answer.position);
      if (isRefused(answer) && IDENTITY_CODES.includes(answer.code)) this.onWrongIdentity();
      return !isRefused(answer);
    } catch {
      return false; // the banner says that the connection is lost
    }
  }

  async preview(action: string): Promise<Preview | null> {
    const answer = await this.#connection.send({ type: 'preview', action }).catch(() => null);
    return answer?.type === 'preview' && answer.version === this.view?.version ? answer.preview : null;
  }

  /** Ask the computer for its best actions, best first. */
  async hint(): Promise<readonly Option[]> {
    const answer = await this.#connection.send({ type: 'hint' }, HINT_MS).catch(() => null);
    if (answer === null || isRefused(answer)) {
      this.error = answer ? textOfCode(answer.code, answer.message) : textOfCode('away', '');
      announce(this.error);
    }
    return answer?.type === 'hint' && answer.version === this.view?.version ? answer.options : [];
  }

  /** Reconnect: with the current identity, or without waiting for the next retry. */
  reconnect(): void {
    this.#connection.reconnect();
  }

  close(): void {
    this.#connection.close();
  }

  /** Note what proves the game later. What the server says only after the end proves nothing. */
  #note(message: Welcome | Events): void {
    if (message.table?.status === 'waiting') this.noted.commitment = message.table.commitment;
    const isLive = message.type === 'events' || message.table.status === 'playing';
    // An action that is undone is no part of the game, and neither is the hash after it.
    if (message.position && isLive && (message.position.undo ?? null) === null) this.noted.history_hash = message.position.history_hash;
  }

  async #receive(message: Welcome | Events): Promise<void> {
    this.clockOffset = message.now - Date.now();
    const wasMyTurn = this.controller?.isMyTurn;
    if (message.table) this.info = message.table;
    if (this.controller?.isMyTurn !== wasMyTurn) this.controller?.onChoicesChanged(); // I took my seat back
    this.#note(message);
    if (message.type === 'welcome') {
      this.chat = message.chat;
      this.#lastEvent = this.#welcomeEvent = message.n;
    }
    if (message.position && !this.controller && this.info) {
      const game = await loadGame(this.info.name, this.info.game);
      this.controller = new TableController(this, game);
    }
    // After a reconnection the server may send events that we have.
    const events = message.type === 'events' ? message.events.filter((event) => event.n > (this.#lastEvent ?? -1)) : [];
    const isUndone = events.some((event) => event.kind === 'undone');
    const steps = isUndone ? [] : events.flatMap((event) => event.steps ?? []);
    if (steps.length && message.position && this.view) await this.controller?.game.loadSteps?.(this.view.position, steps, message.position.position, this.names);
    for (const event of events) this.#addEvent(event);
    if (message.position) {
      this.#setPosition(message.position, steps.map((step) => step.events));
      if (message.type === 'welcome') void this.#loadHistory(message.position.version - (message.position.undone ?? 0));
    }
  }

  /** End the connection, as the game's code cannot be loaded: the page is older than the server, or incomplete. */
  #fail(): void {
    this.#connection.close();
    this.endReason = 'not-loaded';
  }

  #addEvent(event: EventView): void {
    this.#lastEvent = event.n;
    if (event.line) {
      this.chat = [...this.chat, event.line].slice(-MAX_CHAT);
      const isHeard = event.line.person !== this.me() && !blocks.has(event.line.person);
      if (isHeard) announce(`${isolate(event.line.name)}: ${event.line.text}`);
    }
    if (event.kind === 'line-removed') this.chat = this.chat.filter((line) => line.n !== event.removed);
    if (event.kind === 'renamed') this.#renameInChat(event);
    if (event.kind === 'undone') this.log = this.log.toSpliced(this.log.findLastIndex((entry) => entry.kind === 'acted'), 1);
    const events = (event.steps ?? []).flatMap((step) => step.events);
    const entry = { n: event.n, kind: event.kind, seat: event.seat ?? null, why: event.why ?? null, what: event.what ?? null, agree: event.agree ?? null, name: event.name ?? null, muted: event.muted ?? null, events };
    this.log = [...this.log, entry].slice(-MAX_LOG);
    announce(describeTableEvent(entry, this.names));
  }

  /** Show the new name of a person; drop their lines if they deleted themselves. */
  #renameInChat({ person, name, erased }: EventView): void {
    const lines = erased ? this.chat.filter((line) => line.person !== person) : this.chat;
    this.chat = lines.map((line) => (line.person === person ? { ...line, name: name ?? line.name } : line));
  }

  /** Load what was played before we connected, for the log. The game goes on without it. */
  async #loadHistory(actions: number): Promise<void> {
    if (actions === 0) return;
    const replay = await api.tableReplay(this.id).catch(() => null);
    const frames = (replay?.frames ?? []).slice(0, actions + 1);
    if (this.controller) await loadFrames(this.controller.game, frames, this.names);
    const past = frames.filter((frame) => frame.events.length);
    const before = past.map((frame, number): LogEntry => {
      return { n: number - past.length, kind: 'acted', seat: frame.seat, why: null, events: frame.events };
    });
    this.log = [...before, ...this.log.filter((entry) => entry.n > this.#welcomeEvent)].slice(-MAX_LOG);
  }

  #setPosition(view: PositionView, steps: GameEvent[][] = []): void {
    const isNew = view.version !== this.view?.version;
    const isOutdated = this.view !== null && view.version < this.view.version;
    if (isOutdated) return;
    this.view = view;
    if (!isNew) return;
    this.error = '';
    this.controller?.setPosition(view, steps);
  }
}

/** The board controller of a live table. */
export class TableController implements BoardController {
  considered: string | null = $state(null);
  selected: string | null = $state(null);
  preview: Preview | null = $state.raw(null);
  hint: readonly Option[] = $state.raw([]); // the computer's best actions, best first
  /** The view of the last position whose events were all shown: scores do not run ahead of the animation. */
  shownView: PositionView = $state.raw() as PositionView;
  readonly player: EventPlayer;
  #previews: Record<string, Promise<Preview | null>> = {};
  #isActing = $state(false);
  #choicesSince = performance.now();
  #history = $derived.by(() => {
    const all = this.table.log.flatMap((entry) => entry.events);
    return all.slice(0, all.length - this.player.pendingEvents);
  });

  constructor(
    readonly table: LiveTable,
    readonly game: Game,
  ) {
    this.shownView = this.view;
    this.player = new EventPlayer(game, (event) => announce(game.describeEvent(event, this.names)), MOMENT_MS);
  }

  get position() {
    return this.player.position ?? this.view.position;
  }
  get playing() {
    return this.player.playing;
  }
  get lastEvents() {
    return this.player.lastEvents;
  }
  get view(): PositionView {
    return this.table.view as PositionView; // a controller exists only once there is one
  }
  get hinted() {
    return this.hint[0]?.action ?? null;
  }
  get history() {
    return this.#history;
  }
  get seats() {
    return this.table.info?.seats ?? [];
  }
  get names() {
    return this.table.names;
  }
  /** Whether one of my seats has to act and the computer does not play it. */
  get isMyTurn(): boolean {
    const mover = this.view.mover;
    const seat = mover === null ? undefined : this.seats[mover];
    return seat !== undefined && this.table.mySeats.includes(seat.seat) && seat.takeover === null && !seat.resigned;
  }
  get legal() {
    return this.isMyTurn && !this.player.isBusy && !this.#isActing ? this.view.legal : [];
  }

  consider(action: string | null): void {
    if (action !== this.selected) this.selected = null;
    if (action === this.considered) return;
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

  choose(action: string, event?: { pointerType?: string }): void {
    const pointer = event?.pointerType ?? ''; // empty if a key or a screen reader clicks
    if (!this.legal.includes(action) || (pointer && performance.now() - this.#choicesSince < GUARD_MS)) return;
    if (pointer === 'touch') {
      this.consider(action);
      this.selected = action;
    } else this.act(action);
  }

  act(action: string): void {
    if (!this.legal.includes(action)) return;
    this.#isActing = true;
    this.consider(null);
    void this.table.send({ type: 'act', version: this.view.version, action }).finally(() => (this.#isActing = false));
  }

  /** Whether I may undo my last action: neither chance nor another player has acted. */
  get canUndo(): boolean {
    const seat = this.view.undo ?? null;
    return seat !== null && this.table.mySeats.includes(seat) && !this.table.info?.paused;
  }

  undo(): void {
    void this.table.send({ type: 'undo', version: this.view.version });
  }

  /** Ignore pointers for a moment. */
  onChoicesChanged(): void {
    this.#choicesSince = performance.now();
  }

  /** Show a new position of the server, after the events that led to it. */
  setPosition(view: PositionView, steps: GameEvent[][]): void {
    this.#previews = {};
    this.consider(null);
    this.hint = [];
    const onShown = () => {
      this.shownView = view;
      this.onChoicesChanged();
    };
    if (steps.length && this.player.position) this.player.play(steps, view.position, onShown);
    else {
      this.player.jump(view.position);
      onShown();
    }
  }
}
