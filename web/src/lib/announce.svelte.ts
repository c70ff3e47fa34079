/** Announcements for screen readers, in order. `App` has the live region that shows them. */
import { untrack } from 'svelte';

/** `first` is the number of the first line, counted from the first announcement. */
export const announced: { lines: string[]; first: number } = $state({ lines: [], first: 0 });

const MAX_LINES = 5;

export function announce(line: string): void {
  if (!line) return;
  const lines = [...untrack(() => announced.lines), line]; // effects may call this
  announced.first = untrack(() => announced.first) + Math.max(0, lines.length - MAX_LINES); // keys the lines
  announced.lines = lines.slice(-MAX_LINES);
}
