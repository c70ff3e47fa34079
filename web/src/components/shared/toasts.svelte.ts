/** Short notes at the edge of the page that disappear after a while. */
export interface Toast {
  id: number;
  text: string;
  isError: boolean;
  action?: ToastAction;
}

/** A button of a note. */
export interface ToastAction {
  label: string;
  run: () => void;
}

const DURATION_MS = 6000;
let lastId = 0;

export const toasts: { list: Toast[] } = $state({ list: [] });

/** Show a note. */
export function toast(text: string, isError = false, action?: ToastAction): void {
  const id = ++lastId;
  toasts.list = [...toasts.list.filter((one) => one.text !== text), { id, text, isError, action }].slice(-3);
  setTimeout(() => dismiss(id), isError || action ? 2 * DURATION_MS : DURATION_MS);
}

export function dismiss(id: number): void {
  toasts.list = toasts.list.filter((one) => one.id !== id);
}
