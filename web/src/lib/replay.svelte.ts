/** A game that was played, step by step. */
import type { Desk, Game } from '../games/types';
import type { Frame, PositionView, Replay, SeatView } from './protocol';
import { announce } from './announce.svelte';
import { lasting, settings } from './settings.svelte';
import { Stage } from './eventPlayer.svelte';

const PAUSE_MS = 500; // between two steps that are played
const STILL_MS = 1200; // the same where nothing moves

/** A finished game as its board sees it: there is nothing to choose. */
export class ReplayDesk implements Desk {
  readonly stage: Stage;
  readonly seats: SeatView[];
  readonly names: string[];
  readonly legal: readonly string[] = [];
  readonly considered = null;
  readonly preview = null;
  readonly hinted = null;
  step = $state(0);
  #story = $derived.by(() => {
    const all = this.replay.frames.slice(0, this.step + 1).flatMap((frame) => frame.events);
    return all.slice(0, all.length - this.stage.waiting);
  });

  constructor(
    readonly replay: Replay,
    readonly game: Game,
  ) {
    this.stage = new Stage(game);
    this.names = replay.seats.map((seat) => seat.name);
    this.seats = replay.seats.map((seat) => ({
      ...seat,
      kind: seat.level === null ? 'person' : 'computer',
      person: null,
      words: '',
      away: false,
      takeover: null,
      resigned: false,
    }));
  }

  get position() {
    return this.stage.position ?? this.frame.position;
  }
  get playing() {
    return this.stage.playing;
  }
  get last() {
    return this.stage.last;
  }
  get story() {
    return this.#story;
  }
  get frame(): Frame {
    return this.replay.frames[this.step] as Frame; // `go` keeps to the frames there are
  }
  get view(): PositionView {
    const { position, mover, scores } = this.frame;
    return { version: this.step, position, mover, legal: [], scores, deadline: null };
  }

  consider(): void {}
  previewOf(): Promise<null> {
    return Promise.resolve(null);
  }
  act(): void {}
}

/** Goes through a replay: to a step, a turn further, or by itself. */
export class Viewer {
  readonly desk: ReplayDesk;
  isPlaying = $state(false);
  #timer = 0;

  constructor(
    readonly replay: Replay,
    readonly game: Game,
    step = 0,
  ) {
    this.desk = new ReplayDesk(replay, game);
    this.go(step);
  }

  get step(): number {
    return this.desk.step;
  }
  get last(): number {
    return this.replay.frames.length - 1;
  }

  /** What the present step was, in words. */
  get told(): string {
    return this.toldAt(this.step);
  }

  toldAt(step: number): string {
    const frame = this.replay.frames[step];
    const before = this.replay.frames[step - 1];
    if (!frame || !before || frame.action === null) return '';
    const words = frame.events.map((event) => this.game.told(event, this.desk.names)).filter(Boolean);
    return words.join(' ') || this.game.named(frame.action, before.position);
  }

  /** Show a step. Only the very next one is played; everything else is there at once. */
  go(step: number): void {
    const to = Math.max(0, Math.min(this.last, Math.round(step) || 0));
    const frame = this.replay.frames[to] as Frame;
    const isNext = to === this.step + 1 && !this.desk.stage.isBusy;
    this.desk.step = to;
    if (isNext) this.desk.stage.play([frame.events], frame.position);
    else this.desk.stage.jump(frame.position, frame.events);
    announce(this.told);
  }

  /** By one step. */
  by(steps: number): void {
    this.pause();
    this.go(this.step + steps);
  }

  /** To where another player's turn begins, before or after here. */
  byTurn(direction: 1 | -1): void {
    this.pause();
    this.go(turnFrom(this.replay.frames, this.step, direction));
  }

  toggle(): void {
    if (this.isPlaying) return this.pause();
    if (this.step === this.last) this.go(0);
    this.isPlaying = true;
    this.#wait(0);
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = window.setTimeout(() => {
      if (this.desk.stage.isBusy) return this.#wait(60);
      if (this.step === this.last) return this.pause();
      this.go(this.step + 1);
      this.#wait(lasting(PAUSE_MS) || STILL_MS / (settings.speed || 1));
    }, ms);
  }
}

/** Whose turn a position belongs to. */
export function turnOf({ position }: Frame): number {
  return 'turn_of' in position ? position.turn_of : position.to_move;
}

/** The step at which the next turn begins, or this one, or if we are there the one before. */
export function turnFrom(frames: readonly Frame[], step: number, direction: 1 | -1): number {
  const last = frames.length - 1;
  const begins = (at: number) =>
    at <= 0 || at >= last || turnOf(frames[at] as Frame) !== turnOf(frames[at - 1] as Frame);
  let at = step + direction;
  while (at > 0 && at < last && !begins(at)) at += direction;
  return Math.max(0, Math.min(last, at));
}
