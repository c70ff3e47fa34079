/**
 * Keeps the keyboard focus between two choices: after an action the section around the choices gets
 * the focus, and passes it on when it shows the next choice, unless the focus was moved meanwhile.
 */
import type { Controller } from './types';

let holder: HTMLElement | null = null;

/** Give the focus to the section around an element, which stays when its choices go. */
export function holdFocus(element: Element | undefined): void {
  holder = element?.closest('section') ?? null;
  if (!holder) return;
  holder.tabIndex = -1;
  holder.focus();
}

/** Focus a choice as soon as there is one, if the section around the element holds the focus. */
export function passFocus(controller: () => Controller, element: () => Element | undefined, focusChoice: (section: HTMLElement) => void): void {
  $effect(() => {
    if (!controller().legal.length || !holder || element()?.closest('section') !== holder) return;
    const section = holder;
    holder = null;
    if (document.activeElement === section) focusChoice(section);
  });
}
