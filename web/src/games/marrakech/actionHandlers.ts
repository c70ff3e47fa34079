/** Pointer and key handlers: a mouse previews on hover and acts on click; touch previews first and acts on the second tap. */
import type { Controller } from './types';

/** Return whether a click comes from a key or a screen reader. */
function isKeyClick(event: MouseEvent): boolean {
  return event.detail === 0;
}

/** Return the handlers of an element that stands for an action, on the board or beside it. */
export function actionHandlers(controller: Controller, action: string, onKeyAction: () => void) {
  let consideredBefore: string | null = null; // at pointer down, before the focus changes it
  return {
    onpointerdown() {
      consideredBefore = controller.considered;
    },
    onclick(event: MouseEvent) {
      if ((event as PointerEvent).pointerType === 'touch' && consideredBefore !== action) return controller.consider(action);
      controller.act(action);
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
