/** Pointer and key handlers: a mouse previews on hover and acts on click; a touch selects, which previews too. */
import type { Controller } from './types';

/** Return whether a click comes from a key or a screen reader. */
function isKeyClick(event: MouseEvent): boolean {
  return event.detail === 0;
}

/** Return the handlers of an element that stands for an action, on the board or beside it. */
export function actionHandlers(controller: Controller, action: string, onKeyAction: () => void) {
  return {
    onclick(event: MouseEvent) {
      controller.choose(action, event as PointerEvent);
      if (isKeyClick(event)) onKeyAction();
    },
    onfocus() {
      controller.consider(action);
    },
    onpointerenter(event: PointerEvent) {
      if (event.pointerType !== 'touch') controller.consider(action);
    },
    onpointerleave(event: PointerEvent) {
      if (event.pointerType !== 'touch' && controller.considered === action) controller.consider(null);
    },
  };
}
