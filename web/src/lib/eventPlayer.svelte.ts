/**
 * Shows one thing after the other: events wait in line, each is played for its time, and the
 * position follows. A click skips to the end; without motion everything is there at once.
 */
import type { Game, Playing } from '../games/types';
import type { GameEvent, Position } from './protocol';
import { lasting } from './settings.svelte';

interface Act {
  events: GameEvent[];
  final: Position;
  isSkipped: boolean;
  done(): void;
}

const MOST_WAITING = 3; // acts behind; then the oldest are not played any more

export class Stage {
  position: Position | null = $state.raw(null);
  playing: Playing | null = $state.raw(null);
  last: readonly GameEvent[] = $state.raw([]);
  isBusy = $state(false);
  waiting = $state(0); // events that are still to be shown
  #line: Act[] = [];
  #now: Act | null = null;
  #hurry: (() => void) | null = null;

  constructor(
    readonly game: Game,
    readonly heard: (event: GameEvent) => void = () => {},
  ) {}

  /** Show a position at once, without what led to it. */
  jump(position: Position, last: readonly GameEvent[] = []): void {
    this.#line = [];
    this.waiting = 0;
    this.#now = null; // whatever is being played has no say any more
    this.#hurry?.();
    this.playing = null;
    this.isBusy = false;
    this.position = position;
    this.last = last;
  }

  /** Play what led to a position, after everything that waits; `done` when it is there. */
  play(steps: readonly GameEvent[][], final: Position, done: () => void = () => {}): void {
    const events = steps.flat();
    this.waiting += events.length;
    this.#line.push({ events, final, isSkipped: false, done });
    if (!this.isBusy) void this.#run();
  }

  /** Show the end of everything that waits. */
  skip(): void {
    for (const act of [this.#now, ...this.#line]) if (act) act.isSkipped = true;
    this.#hurry?.();
  }

  async #run(): Promise<void> {
    this.isBusy = true;
    for (let act = this.#line.shift(); act; act = this.#line.shift()) {
      this.#now = act;
      if (this.#line.length >= MOST_WAITING) act.isSkipped = true;
      this.last = act.events;
      for (const event of act.events) {
        this.heard(event);
        await this.#show(event, act);
        if (this.#now !== act) return;
        this.waiting -= 1;
        if (this.position) this.position = this.game.shown(this.position, event);
      }
      this.playing = null;
      this.position = act.final;
      act.done();
    }
    this.#now = null;
    this.isBusy = false;
  }

  async #show(event: GameEvent, act: Act): Promise<void> {
    const ms = act.isSkipped || document.hidden ? 0 : lasting(this.game.lasts(event));
    this.playing = { event, ms };
    if (ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hurry = null;
  }
}
