/** Where the keyboard focus is between two choices. */

/** Return whether no control has the focus: the choices that had it are gone. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || document.activeElement?.id === 'turn';
}
