/** The selection before an action, shared by the board and the controls. */
import type { MarraCashPosition } from './protocol';
import type { Controller } from './types';
import { actionsOfKind, movesByStart, unique } from './actions';

const HOVER_MS = 70; // passing over an element does not preview its action
const INSPECT_MS = 300; // nor shows what is known about a shop

export class Selection {
  #group: { at: string; version: number } | null = $state.raw(null); // its fountain, and when it was selected
  #inspected: string | null = $state(null);
  #gate: string | null = $state(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inspectTimer: ReturnType<typeof setTimeout> | undefined;
  #isMovingFocus = false;
  keyboardAt: 'board' | 'controls' | null = null; // where the keyboard is used

  constructor(readonly controller: Controller) {}

  get position(): MarraCashPosition {
    return this.controller.position;
  }

  /** The fountain of the selected group. */
  get from(): string | null {
    const { at, version } = this.#group ?? {};
    const isCurrent = at !== undefined && version === this.controller.view.version;
    return isCurrent && movesByStart(this.controller.legal).has(at) ? at : null;
  }

  /** The gate for new visitors. */
  get gate(): string | null {
    const gates = this.gates;
    return this.#gate !== null && gates.includes(this.#gate) ? this.#gate : (gates[0] ?? null);
  }

  get gates(): string[] {
    return unique(actionsOfKind(this.controller.legal, 'bring').map(({ gate }) => gate));
  }

  /** The shop about which a card is shown. */
  get inspected(): string | null {
    return this.#inspected;
  }

  /** Show a card about a shop; with a delay if a pointer hovers over it. */
  inspect(shop: string | null, isHover = false): void {
    clearTimeout(this.#inspectTimer);
    if (isHover && shop !== null && shop !== this.#inspected) this.#inspectTimer = setTimeout(() => this.inspect(shop), INSPECT_MS);
    if (!isHover || shop !== this.#inspected) this.#inspected = isHover ? null : shop;
  }

  /** Select the group at a fountain, or deselect it. */
  toggleGroup(fountain: string): void {
    this.#group = this.from === fountain ? null : { at: fountain, version: this.controller.view.version };
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

  /** Choose an action; by touch it must be confirmed. */
  press(action: string, event?: MouseEvent): void {
    this.#cancelHover();
    this.inspect(event instanceof PointerEvent && event.pointerType === 'touch' ? this.#inspected : null);
    this.controller.choose(action, event instanceof PointerEvent ? event : undefined);
  }

  /** Undo the last step of the selection; return false if there is none. */
  back(): boolean {
    this.#cancelHover();
    const wasInspected = this.#inspected !== null;
    this.inspect(null);
    if (this.controller.considered !== null) this.controller.consider(null);
    else if (this.from !== null) this.#group = null;
    else return wasInspected;
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
