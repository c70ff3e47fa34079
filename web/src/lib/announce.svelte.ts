/** What screen readers are told, in order. `App` has the live region that shows it. */
export const announced: { lines: string[] } = $state({ lines: [] });

export function announce(line: string): void {
  if (line) announced.lines = [...announced.lines, line].slice(-5);
}
