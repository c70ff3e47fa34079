/**
 * Plays events one after the other: they wait in a queue, each is animated for its duration, and
 * the shown position follows. Where nothing may move, each event is shown for a moment when it has
 * happened. A click skips to the end; without animation the end is shown at once.
 */
import type { Game, PlayingEvent } from '../games/types';
import type { GameEvent, Position } from './protocol';
import { animationMs, stillMs } from './settings.svelte';

/** The events that lead to a position. */
interface Batch {
  events: GameEvent[];
  final: Position;
  isSkipped: boolean;
  done(): void;
}

const MAX_WAITING = 3; // batches; with more waiting, the oldest are not animated

export class EventPlayer {
  position: Position | null = $state.raw(null);
  playing: PlayingEvent | null = $state.raw(null); // animated
  shown: GameEvent | null = $state.raw(null); // animated, or shown for a moment
  lastEvents: readonly GameEvent[] = $state.raw([]);
  isBusy = $state(false);
  pendingEvents = $state(0); // the number of events not shown yet
  #queue: Batch[] = [];
  #current: Batch | null = null;
  #finishEvent: (() => void) | null = null;

  constructor(
    readonly game: Game,
    readonly onEvent: (event: GameEvent) => void = () => {},
    readonly momentMs = 0, // how long an event is shown where nothing may move
  ) {}

  /** The number of events whose animation has not begun. */
  get unseenEvents(): number {
    return this.pendingEvents - (this.playing ? 1 : 0);
  }

  /** Show a position at once and drop everything that waits. */
  jump(position: Position, lastEvents: readonly GameEvent[] = []): void {
    this.#queue = [];
    this.pendingEvents = 0;
    this.#current = null; // stops the loop in #run
    this.#finishEvent?.();
    this.playing = null;
    this.shown = null;
    this.isBusy = false;
    this.position = position;
    this.lastEvents = lastEvents;
  }

  /** Queue the events that lead to a position; call `done` when it is shown. */
  play(steps: readonly GameEvent[][], final: Position, done: () => void = () => {}): void {
    const events = steps.flat();
    this.pendingEvents += events.length;
    this.#queue.push({ events, final, isSkipped: false, done });
    if (!this.isBusy) void this.#run();
  }

  /** Skip the animation of everything that waits. */
  skip(): void {
    for (const batch of [this.#current, ...this.#queue]) if (batch) batch.isSkipped = true;
    this.#finishEvent?.();
  }

  async #run(): Promise<void> {
    this.isBusy = true;
    for (let batch = this.#queue.shift(); batch; batch = this.#queue.shift()) {
      this.#current = batch;
      if (this.#queue.length >= MAX_WAITING) batch.isSkipped = true;
      this.lastEvents = batch.events;
      for (const [number, event] of batch.events.entries()) {
        this.onEvent(event);
        this.shown = event;
        const duration = batch.isSkipped || document.hidden ? 0 : this.game.duration(event);
        const ms = animationMs(duration);
        const moment = duration && !ms ? stillMs(this.momentMs) : 0;
        if (ms > 0) {
          this.playing = { event, ms };
          await this.#wait(ms);
          if (this.#current !== batch) return;
        }
        this.playing = null;
        this.pendingEvents -= 1;
        if (this.position) this.position = this.game.applyEvent(this.position, event);
        if (moment === 0) continue;
        this.lastEvents = batch.events.slice(0, number + 1); // nothing shows what is still to come
        await this.#wait(moment);
        if (this.#current !== batch) return;
      }
      this.lastEvents = batch.events;
      this.position = batch.final;
      batch.done();
    }
    this.#current = null;
    this.shown = null;
    this.isBusy = false;
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#finishEvent = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#finishEvent = null;
  }
}
