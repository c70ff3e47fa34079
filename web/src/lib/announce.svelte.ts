/** What screen readers are told, in order. `App` has the live region that shows it. */
import { untrack } from 'svelte';

export const announced: { lines: string[]; first: number } = $state({ lines: [], first: 0 });

const MOST = 5;

export function announce(line: string): void {
  if (!line) return;
  const lines = [...untrack(() => announced.lines), line]; // an effect may announce
  announced.first = untrack(() => announced.first) + Math.max(0, lines.length - MOST); // none is told twice
  announced.lines = lines.slice(-MOST);
}
