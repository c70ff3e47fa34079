/**
 * Shows one thing after the other: events wait in line, each is played for its time, and the
 * position follows. A click skips to the end; without motion everything is there at once.
 */
import type { Game, Playing } from '../games/types';
import type { GameEvent, Position } from './protocol';
import { lasting } from './settings.svelte';

interface Act {
  steps: GameEvent[][];
  final: Position;
}

const MOST_WAITING = 3; // acts behind; then the oldest are not played any more

export class Stage {
  position: Position | null = $state.raw(null);
  playing: Playing | null = $state.raw(null);
  last: readonly GameEvent[] = $state.raw([]);
  isBusy = $state(false);
  #line: Act[] = [];
  #skip: (() => void) | null = null;
  #isSkipping = false;

  constructor(
    readonly game: Game,
    readonly heard: (event: GameEvent) => void = () => {},
  ) {}

  /** Show a position at once, without what led to it. */
  jump(position: Position, last: readonly GameEvent[] = []): void {
    this.#line = [];
    this.#isSkipping = true;
    this.#skip?.();
    this.position = position;
    this.last = last;
  }

  /** Play what led to a position, after everything that waits. */
  play(steps: GameEvent[][], final: Position): void {
    this.#line.push({ steps, final });
    if (!this.isBusy) void this.#run();
  }

  /** Show the end of what is being played. */
  skip(): void {
    this.#isSkipping = true;
    this.#skip?.();
  }

  async #run(): Promise<void> {
    this.isBusy = true;
    for (let act = this.#line.shift(); act; act = this.#line.shift()) {
      this.#isSkipping = this.#line.length >= MOST_WAITING;
      this.last = act.steps.flat();
      for (const event of this.last) {
        this.heard(event);
        await this.#show(event);
      }
      this.playing = null;
      this.position = act.final;
    }
    this.isBusy = false;
  }

  async #show(event: GameEvent): Promise<void> {
    const ms = this.#isSkipping || document.hidden ? 0 : lasting(this.game.lasts(event));
    this.playing = { event, ms };
    if (ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#skip = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#skip = null;
    }
    if (this.position) this.position = this.game.shown(this.position, event);
  }
}
