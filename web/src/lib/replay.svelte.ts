/** Replays of recorded games, step by step. */
import type { BoardController, Game } from '../games/types';
import { announce } from './announce.svelte';
import { EventPlayer } from './eventPlayer.svelte';
import type { Frame, PositionView, Replay, SeatView } from './protocol';
import { animationMs, settings } from './settings.svelte';

const PAUSE_MS = 500; // between two steps during playback
const STILL_MS = 1200; // the same without animation

/** The board controller of a replay: there are no actions to choose. */
export class ReplayController implements BoardController {
  readonly player: EventPlayer;
  readonly seats: SeatView[];
  readonly names: string[];
  readonly legal: readonly string[] = [];
  readonly considered = null;
  readonly selected = null;
  readonly preview = null;
  readonly hinted = null;
  step = $state(0);
  #history = $derived.by(() => {
    const all = this.replay.frames.slice(0, this.step + 1).flatMap((frame) => frame.events);
    return all.slice(0, all.length - this.player.pendingEvents);
  });

  constructor(
    readonly replay: Replay,
    readonly game: Game,
  ) {
    this.player = new EventPlayer(game);
    this.names = replay.seats.map((seat) => seat.name);
    this.seats = replay.seats.map((seat) => ({
      ...seat,
      kind: seat.level === null ? 'person' : 'computer',
      person: null,
      words: '',
      away: false,
      takeover: null,
      resigned: false,
      hints: 0,
    }));
  }

  get position() {
    return this.player.position ?? this.frame.position;
  }
  get playing() {
    return this.player.playing;
  }
  get lastEvents() {
    return this.player.lastEvents;
  }
  get history() {
    return this.#history;
  }
  get frame(): Frame {
    return this.replay.frames[this.step] as Frame; // `ReplayViewer.go` stays within the frames
  }
  get view(): PositionView {
    const { position, mover, scores } = this.frame;
    return { version: this.step, position, mover, legal: [], scores, deadline: null, history_hash: '' };
  }

  consider(): void {}
  previewOf(): Promise<null> {
    return Promise.resolve(null);
  }
  choose(): void {}
  act(): void {}
}

/** Goes through a replay: to a step, by a turn, or by playback. */
export class ReplayViewer {
  readonly controller: ReplayController;
  isPlaying = $state(false);
  #timer = 0;

  constructor(
    readonly replay: Replay,
    readonly game: Game,
    step = 0,
  ) {
    this.controller = new ReplayController(replay, game);
    this.go(step);
  }

  get step(): number {
    return this.controller.step;
  }
  get lastStep(): number {
    return this.replay.frames.length - 1;
  }

  /** The current step in words. */
  get description(): string {
    return this.describeStep(this.step);
  }

  /** Describe a step by its events, or by its action if they have no words. */
  describeStep(step: number): string {
    const frame = this.replay.frames[step];
    const before = this.replay.frames[step - 1];
    if (!frame || !before || frame.action === null) return '';
    const sentences = frame.events.map((event) => this.game.describeEvent(event, this.controller.names)).filter(Boolean);
    return sentences.join(' ') || this.game.describeAction(frame.action, before.position);
  }

  /** Show a step. Only the next step is animated. */
  go(step: number): void {
    const target = Math.max(0, Math.min(this.lastStep, Math.round(step) || 0));
    const frame = this.replay.frames[target] as Frame;
    const { player } = this.controller;
    const isNext = target === this.step + 1 && !player.isBusy;
    this.controller.step = target;
    if (isNext) player.play([frame.events], frame.position);
    else player.jump(frame.position, frame.events);
    announce(this.description);
  }

  goBy(steps: number): void {
    this.pause();
    this.go(this.step + steps);
  }

  /** Go to where the next turn begins, or the beginning of this one or the one before. */
  goByTurn(direction: 1 | -1): void {
    this.pause();
    this.go(turnStart(this.replay.frames, this.step, direction));
  }

  togglePlayback(): void {
    if (this.isPlaying) return this.pause();
    if (this.step === this.lastStep) this.go(0);
    this.isPlaying = true;
    this.#playNextIn(0);
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  #playNextIn(ms: number): void {
    this.#timer = window.setTimeout(() => {
      if (this.controller.player.isBusy) return this.#playNextIn(60);
      if (this.step === this.lastStep) return this.pause();
      this.go(this.step + 1);
      this.#playNextIn(animationMs(PAUSE_MS) || STILL_MS / (settings.speed || 1));
    }, ms);
  }
}

/** Return the seat whose turn a position belongs to. */
export function turnOf({ position, mover }: Frame): number {
  return position.turn_of ?? position.to_move ?? mover ?? 0;
}

/** Return the step at which the next turn begins (1), or this turn or, if we are there, the one before (-1). */
export function turnStart(frames: readonly Frame[], step: number, direction: 1 | -1): number {
  const last = frames.length - 1;
  const isTurnStart = (at: number) =>
    at <= 0 || at >= last || turnOf(frames[at] as Frame) !== turnOf(frames[at - 1] as Frame);
  let at = step + direction;
  while (at > 0 && at < last && !isTurnStart(at)) at += direction;
  return Math.max(0, Math.min(last, at));
}
