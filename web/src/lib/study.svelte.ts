/** A study board: try actions and chance outcomes from any position, go back, branch. */
import { loadFrames } from '../games';
import type { BoardController, Game } from '../games/types';
import { announce } from './announce.svelte';
import { api } from './api';
import { EventPlayer } from './eventPlayer.svelte';
import type { PositionView, Preview, SeatView, StudyFrame } from './protocol';

/** The board controller of a study: everybody's actions and all chance outcomes can be chosen. */
export class StudyController implements BoardController {
  readonly player: EventPlayer;
  readonly seats: SeatView[];
  considered: string | null = $state(null);
  selected: string | null = $state(null);
  preview: Preview | null = $state.raw(null);
  /** The line: the start, then one frame for each action. */
  frames: readonly StudyFrame[] = $state.raw([]);
  step = $state(0); // the frame that is shown
  isActing = $state(false); // waiting for the server
  #previews: Record<string, Promise<Preview | null>> = {};
  #asked: string[] = []; // actions whose previews are requested together
  #batch: Promise<Preview[]> | null = null;
  #history = $derived.by(() => {
    const all = this.frames.slice(0, this.step + 1).flatMap((frame) => frame.events);
    return all.slice(0, all.length - this.player.pendingEvents);
  });

  /** Show a line of frames, as the server sent them. `onerror` is told why an action was not carried out. */
  constructor(
    readonly game: Game,
    readonly names: readonly string[],
    frames: readonly StudyFrame[],
    readonly onerror: (error: unknown) => void = () => {},
    step = frames.length - 1,
    momentMs = 0,
  ) {
    this.player = new EventPlayer(game, undefined, momentMs);
    this.seats = names.map((name, seat) => ({
      ...{ seat, name, kind: 'person', person: null, level: null, words: '' },
      ...{ away: false, takeover: null, resigned: false, hints: 0 },
    }));
    this.frames = frames;
    this.go(step);
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
  get hinted(): string | null {
    return null;
  }
  get frame(): StudyFrame {
    return this.frames[this.step] as StudyFrame; // `go` stays within the frames
  }
  get view(): PositionView {
    const { position, mover, scores, legal } = this.frame;
    return { version: this.step, position, mover, legal, scores, deadline: null, history_hash: '' };
  }
  get legal(): readonly string[] {
    return this.#isReady ? this.frame.legal : [];
  }
  /** The chance outcomes that can be chosen now. */
  get outcomes() {
    return this.#isReady ? this.frame.outcomes : [];
  }
  get lastStep(): number {
    return this.frames.length - 1;
  }
  /** The actions of the whole line. */
  get actions(): string[] {
    return this.frames.slice(1).map((frame) => frame.action as string);
  }
  get #isReady(): boolean {
    return !this.player.isBusy && !this.isActing;
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
    return (this.#previews[action] ??= this.#loadPreview(action));
  }

  /** Load a preview with all others that are asked for at the same time. */
  async #loadPreview(action: string): Promise<Preview | null> {
    this.#batch ??= Promise.resolve().then(() => {
      const actions = this.#asked;
      this.#batch = null;
      this.#asked = [];
      return api.studyPreviews(this.frame.position, actions);
    });
    const number = this.#asked.push(action) - 1;
    const previews = await this.#batch.catch(() => []);
    return previews[number] ?? null;
  }

  choose(action: string, event?: { pointerType?: string }): void {
    if (event?.pointerType !== 'touch') return this.act(action);
    if (!this.legal.includes(action)) return;
    this.consider(action);
    this.selected = action;
  }

  /** Carry out an action or a chance outcome; one that the line does not go on with replaces the rest of the line. */
  act(action: string): void {
    if (this.legal.includes(action) || this.outcomes.some((outcome) => outcome.action === action)) void this.#act(action);
  }

  async #act(action: string): Promise<void> {
    if (this.frames[this.step + 1]?.action === action) this.go(this.step + 1);
    else await this.extend([action]);
  }

  /** Replace the rest of the line by what actions lead to, and show the first of them. */
  protected async extend(actions: string[]): Promise<void> {
    this.isActing = true;
    const { step } = this;
    try {
      const { frames } = await api.study({ position: this.frame.position, actions });
      await loadFrames(this.game, frames, this.names);
      if (this.step !== step) return; // somebody went elsewhere meanwhile
      this.frames = [...this.frames.slice(0, this.step + 1), ...frames.slice(1)];
      this.go(this.step + 1);
    } catch (error) {
      this.onerror(error);
    } finally {
      this.isActing = false;
    }
  }

  /** Choose a chance outcome at random. */
  actAtRandom(random = Math.random()): void {
    let left = random;
    const drawn = this.outcomes.find(({ probability }) => (left -= probability) < 0) ?? this.outcomes.at(-1);
    if (drawn) this.act(drawn.action);
  }

  /** Show a step of the line. Only the next step is animated. */
  go(step: number): void {
    const target = Math.max(0, Math.min(this.lastStep, step));
    const isNext = target === this.step + 1 && !this.player.isBusy && this.player.position !== null;
    this.#previews = {};
    this.consider(null);
    this.step = target;
    const { events, position } = this.frame;
    if (isNext) this.player.play([events], position, () => this.onShown());
    else this.player.jump(position, events);
    announce(this.describeStep(target));
  }

  /** Called when the events of a step were shown. */
  protected onShown(): void {}

  /** Describe a step by its events, or by its action if they have no words. */
  describeStep(step: number): string {
    const frame = this.frames[step];
    const before = this.frames[step - 1];
    if (!frame || !before || frame.action === null) return '';
    const sentences = frame.events.map((event) => this.game.describeEvent(event, this.names)).filter(Boolean);
    return sentences.join(' ') || this.game.describeAction(frame.action, before.position);
  }
}
