/** A lesson: the learner tries one thing in a prepared position, and the others answer by a script. */
import type { Game } from '../games/types';
import { api } from './api';
import type { Position, StudyFrame } from './protocol';
import { saveSetting, settings } from './settings.svelte';
import { StudyController } from './study.svelte';

/** A step of a game's lessons, which are in its `lessons/steps.json`. The learner has seat 0. */
export interface LessonStep {
  name: string; // of its texts: `<game>.lesson.<name>`, with `.done` and `.other`
  position?: Position; // without it, the step begins where the one before ends
  choices?: string[]; // what the learner is to do; none: any legal action; without it, there is only something to read
  script?: string[]; // the chance outcomes and the others' actions that follow
}

const MOMENT_MS = 1000; // for an event where nothing may move

/** Return the position in which a step begins. */
export async function loadStep(steps: readonly LessonStep[], number: number): Promise<StudyFrame> {
  let first = number;
  while (!steps[first]?.position) first -= 1; // the first step has one
  const actions = steps.slice(first, number).flatMap((step) => [...(step.choices?.slice(0, 1) ?? []), ...(step.script ?? [])]);
  const { frames } = await api.study({ position: steps[first]!.position, actions });
  return frames.at(-1)!;
}

/** The board controller of a step. */
export class LessonController extends StudyController {
  isOther = $state(false); // whether the learner tried something legal that is not asked for

  constructor(
    readonly lesson: LessonStep,
    game: Game,
    names: readonly string[],
    start: StudyFrame,
    onerror: (error: unknown) => void,
  ) {
    super(game, names, [start], onerror, 0, MOMENT_MS);
  }

  override get legal(): readonly string[] {
    return this.lesson.choices && this.step === 0 ? super.legal : [];
  }
  override get hinted(): string | null {
    return this.isOther ? (this.lesson.choices?.[0] ?? null) : null;
  }
  /** Whether there is nothing left to do or to see in this step. */
  get isDone(): boolean {
    return !this.lesson.choices || (this.step > 0 && this.step === this.lastStep && !this.player.isBusy);
  }

  override act(action: string): void {
    if (!this.legal.includes(action)) return;
    const { choices = [], script = [] } = this.lesson;
    this.isOther = choices.length > 0 && !choices.includes(action);
    this.consider(null);
    if (!this.isOther) void this.extend([action, ...script]);
  }

  /** Go on with the script. */
  protected override onShown(): void {
    queueMicrotask(() => {
      if (this.step < this.lastStep) this.go(this.step + 1);
      else this.#saveExplained();
    });
  }

  /** End the script: the learner went elsewhere. */
  stop(): void {
    this.frames = this.frames.slice(0, this.step + 1);
  }

  /** Normal games need not explain again what was done here. */
  #saveExplained(): void {
    const { game, frames } = this;
    const { position } = frames[0]!;
    const key = `${game.name}.help.${game.helpTopic?.(position) ?? position.phase}`;
    if (!settings.explained.includes(key)) saveSetting('explained', [...settings.explained, key]);
  }
}
