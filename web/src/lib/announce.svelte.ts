/** What screen readers are told, in order. `App` has the live region that shows it. */
export const announced: { lines: string[]; first: number } = $state({ lines: [], first: 0 });

const MOST = 5;

export function announce(line: string): void {
  if (!line) return;
  const lines = [...announced.lines, line];
  announced.first += Math.max(0, lines.length - MOST); // lines keep their number: none is told twice
  announced.lines = lines.slice(-MOST);
}
