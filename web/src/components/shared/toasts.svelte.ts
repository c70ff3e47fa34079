/** Short notes at the edge of the page that go away by themselves. */
export interface Toast {
  id: number;
  text: string;
  isBad: boolean;
}

const LASTS_MS = 6000;
let last = 0;

export const toasts: { list: Toast[] } = $state({ list: [] });

/** Say something in passing. */
export function toast(text: string, isBad = false): void {
  const id = ++last;
  toasts.list = [...toasts.list.filter((one) => one.text !== text), { id, text, isBad }].slice(-3);
  setTimeout(() => dismiss(id), isBad ? 2 * LASTS_MS : LASTS_MS);
}

export function dismiss(id: number): void {
  toasts.list = toasts.list.filter((one) => one.id !== id);
}
