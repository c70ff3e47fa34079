/**
 * Keeps the keyboard focus between two choices: after an action the frame around the choices gets
 * the focus, and passes it on when the next choice is shown, unless it was moved meanwhile.
 */
import type { Controller } from './types';

export function holdFocus(
  controller: () => Controller,
  frame: () => HTMLElement | undefined,
  focusChoice: () => void,
): () => void {
  let isHolding = false;
  $effect(() => {
    if (!controller().legal.length || !isHolding) return;
    isHolding = false;
    if (document.activeElement === frame()) focusChoice();
  });
  return () => {
    isHolding = true;
    frame()?.focus();
  };
}
