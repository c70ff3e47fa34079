/**
 * Plays events one after the other: they wait in a queue, each is animated for its duration, and
 * the shown position follows. A click skips to the end; without animation the end is shown at once.
 */
import type { Game, PlayingEvent } from '../games/types';
import type { GameEvent, Position } from './protocol';
import { animationMs } from './settings.svelte';

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
  playing: PlayingEvent | null = $state.raw(null);
  lastEvents: readonly GameEvent[] = $state.raw([]);
  isBusy = $state(false);
  pendingEvents = $state(0); // the number of events not shown yet
  #queue: Batch[] = [];
  #current: Batch | null = null;
  #finishEvent: (() => void) | null = null;

  constructor(
    readonly game: Game,
    readonly onEvent: (event: GameEvent) => void = () => {},
  ) {}

  /** Show a position at once and drop everything that waits. */
  jump(position: Position, lastEvents: readonly GameEvent[] = []): void {
    this.#queue = [];
    this.pendingEvents = 0;
    this.#current = null; // stops the loop in #run
    this.#finishEvent?.();
    this.playing = null;
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
      for (const event of batch.events) {
        this.onEvent(event);
        await this.#animate(event, batch);
        if (this.#current !== batch) return;
        this.pendingEvents -= 1;
        if (this.position) this.position = this.game.applyEvent(this.position, event);
      }
      this.playing = null;
      this.position = batch.final;
      batch.done();
    }
    this.#current = null;
    this.isBusy = false;
  }

  async #animate(event: GameEvent, batch: Batch): Promise<void> {
    const ms = batch.isSkipped || document.hidden ? 0 : animationMs(this.game.duration(event));
    this.playing = { event, ms };
    if (ms <= 0) return;
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
