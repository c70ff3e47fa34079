/** What somebody is about to choose. Board and controls of a desk share it, so that either can go on. */
import type { MarraCashPosition } from '../../lib/protocol';
import type { Desk } from '../types';
import { all, moves, once } from './actions';

const POINT_MS = 70; // a pointer that only passes over something does not mean it

export class Choosing {
  #picked: string | null = $state(null);
  #gate: string | null = $state(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGuiding = false;
  keysOn: 'board' | 'controls' | null = null; // where somebody plays by keyboard

  constructor(readonly desk: Desk) {}

  get position(): MarraCashPosition {
    return this.desk.position as MarraCashPosition;
  }

  /** The fountain whose group is to walk. */
  get from(): string | null {
    const found = this.#picked;
    return found !== null && moves(this.desk.legal).has(found) ? found : null;
  }

  /** The gate that new visitors come to. */
  get gate(): string | null {
    const gates = this.gates;
    return this.#gate !== null && gates.includes(this.#gate) ? this.#gate : (gates[0] ?? null);
  }

  get gates(): string[] {
    return once(all(this.desk.legal, 'bring').map(({ gate }) => gate));
  }

  pick(fountain: string): void {
    this.#picked = this.from === fountain ? null : fountain;
    this.#stop();
    this.desk.consider(null);
  }

  pickGate(gate: string): void {
    this.#gate = gate;
    this.#stop();
    this.desk.consider(null);
  }

  /** Think about an action; soon, if only a pointer is over it. */
  consider(action: string, soon = false): void {
    this.#stop();
    if (this.desk.considered === action) return;
    if (soon) this.#timer = setTimeout(() => this.consider(action), POINT_MS);
    else if (this.desk.legal.includes(action)) this.desk.consider(action);
  }

  /** The keyboard has come to an action: unless we led it there, it is meant. */
  reach(action: string): void {
    if (!this.#isGuiding) this.consider(action);
  }

  /** Lead the keyboard to something that can be chosen, without a word about what it would do. */
  guide(element: HTMLElement | SVGElement | null): void {
    this.#isGuiding = true;
    element?.focus();
    this.#isGuiding = false;
  }

  /** The pointer has gone elsewhere. */
  leave(): void {
    this.#stop();
  }

  /**
   * What was thought about is done, anything else is thought about first. A mouse has shown what
   * it is over before it clicks; a finger or a screen reader has not.
   */
  press(action: string, event?: MouseEvent): void {
    this.#stop();
    const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse';
    if (isMouse || this.desk.considered === action) this.act(action);
    else this.consider(action);
  }

  act(action: string): void {
    this.#stop();
    this.#picked = null;
    this.desk.act(action);
  }

  /** One step back; false if there is none. */
  back(): boolean {
    this.#stop();
    if (this.desk.considered !== null) this.desk.consider(null);
    else if (this.from !== null) this.#picked = null;
    else return false;
    return true;
  }

  #stop(): void {
    clearTimeout(this.#timer);
  }
}

const known = new WeakMap<Desk, Choosing>();

export function choosingOf(desk: Desk): Choosing {
  let found = known.get(desk);
  if (!found) known.set(desk, (found = new Choosing(desk)));
  return found;
}
