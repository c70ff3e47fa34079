/** The selection before an action, shared by the board and the controls. */
import type { MarraCashPosition } from './protocol';
import type { Controller } from './types';
import { actionsOfKind, movesByStart, unique } from './actions';

const HOVER_MS = 70; // passing over an element does not preview its action

export class Selection {
  #group: string | null = $state(null); // its fountain
  #gate: string | null = $state(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isMovingFocus = false;
  keyboardAt: 'board' | 'controls' | null = null; // where the keyboard is used

  constructor(readonly controller: Controller) {}

  get position(): MarraCashPosition {
    return this.controller.position;
  }

  /** The fountain of the selected group. */
  get from(): string | null {
    const group = this.#group;
    return group !== null && movesByStart(this.controller.legal).has(group) ? group : null;
  }

  /** The gate for new visitors. */
  get gate(): string | null {
    const gates = this.gates;
    return this.#gate !== null && gates.includes(this.#gate) ? this.#gate : (gates[0] ?? null);
  }

  get gates(): string[] {
    return unique(actionsOfKind(this.controller.legal, 'bring').map(({ gate }) => gate));
  }

  /** Select the group at a fountain, or deselect it. */
  toggleGroup(fountain: string): void {
    this.#group = this.from === fountain ? null : fountain;
    this.#cancelHover();
    this.controller.consider(null);
  }

  selectGate(gate: string): void {
    this.#gate = gate;
    this.#cancelHover();
    this.controller.consider(null);
  }

  /** Show the preview of an action; with a short delay if a pointer hovers over it. */
  consider(action: string, isHover = false): void {
    this.#cancelHover();
    if (this.controller.considered === action) return;
    if (isHover) this.#timer = setTimeout(() => this.consider(action), HOVER_MS);
    else if (this.controller.legal.includes(action)) this.controller.consider(action);
  }

  /** Show the preview of a focused action, unless `moveFocus` moved the focus there. */
  onFocus(action: string): void {
    if (!this.#isMovingFocus) this.consider(action);
  }

  /** Move the keyboard focus to an element without showing its preview. */
  moveFocus(element: HTMLElement | SVGElement | null): void {
    this.#isMovingFocus = true;
    element?.focus();
    this.#isMovingFocus = false;
  }

  /** Cancel a hover: the pointer has left. */
  leave(): void {
    this.#cancelHover();
  }

  /**
   * Perform an action if its preview is shown, else show the preview. A mouse shows it before the
   * click by hovering; touch and screen readers do not.
   */
  press(action: string, event?: MouseEvent): void {
    this.#cancelHover();
    const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse';
    if (isMouse || this.controller.considered === action) this.act(action);
    else this.consider(action);
  }

  act(action: string): void {
    this.#cancelHover();
    this.#group = null;
    this.controller.act(action);
  }

  /** Undo the last step of the selection; return false if there is none. */
  back(): boolean {
    this.#cancelHover();
    if (this.controller.considered !== null) this.controller.consider(null);
    else if (this.from !== null) this.#group = null;
    else return false;
    return true;
  }

  #cancelHover(): void {
    clearTimeout(this.#timer);
  }
}

const selections = new WeakMap<Controller, Selection>();

export function selectionOf(controller: Controller): Selection {
  let selection = selections.get(controller);
  if (!selection) selections.set(controller, (selection = new Selection(controller)));
  return selection;
}
