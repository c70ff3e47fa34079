/**
 * Who plays by keys stays where he is until the next choice is there, and is led to it: after an
 * action the frame around the choices has the focus, and only from there it moves on.
 */
import type { Desk } from '../types';

export function waiting(desk: () => Desk, frame: () => HTMLElement | undefined, lead: () => void): () => void {
  let waits = false;
  $effect(() => {
    if (!desk().legal.length || !waits) return;
    waits = false;
    if (document.activeElement === frame()) lead();
  });
  return () => {
    waits = true;
    frame()?.focus();
  };
}
