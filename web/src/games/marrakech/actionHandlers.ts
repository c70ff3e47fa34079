/** How somebody chooses: a mouse shows and acts, a finger shows first and acts when it comes again. */
import type { Desk } from '../types';

/** A click by key, or by whatever reads the page out. */
export function isKey(event: MouseEvent): boolean {
  return event.detail === 0;
}

/** One way to choose an action, for arrows on the board and buttons beside it alike. */
export function chooser(desk: Desk, action: string, acted: () => void) {
  let before: string | null = null; // considered when the finger came down: focus follows it
  return {
    onpointerdown() {
      before = desk.considered;
    },
    onclick(event: MouseEvent) {
      if ((event as PointerEvent).pointerType === 'touch' && before !== action) return desk.consider(action);
      desk.act(action);
      if (isKey(event)) acted();
    },
    onfocus() {
      desk.consider(action);
    },
    onpointerenter(event: PointerEvent) {
      if (event.pointerType !== 'touch') desk.consider(action);
    },
    onpointerleave(event: PointerEvent) {
      if (event.pointerType !== 'touch' && desk.considered === action) desk.consider(null);
    },
  };
}
