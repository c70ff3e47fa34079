/** Groups of visitors: how many of each colour. */
import type { MarraCashColour } from './protocol';

export const COLOURS = ['red', 'yellow', 'blue', 'green', 'purple'] as const satisfies readonly MarraCashColour[];

export type Group = Partial<Record<MarraCashColour, number>>;

/** Return the colours of a group with their counts, always in the same order. */
export const groupEntries = (group: Group): [MarraCashColour, number][] =>
  COLOURS.map((colour): [MarraCashColour, number] => [colour, group[colour] ?? 0]).filter(([, count]) => count > 0);

export const groupSize = (group: Group): number => groupEntries(group).reduce((sum, [, count]) => sum + count, 0);

export function groupOf(visitors: readonly string[]): Group {
  const group: Group = {};
  for (const visitor of visitors as readonly MarraCashColour[]) group[visitor] = (group[visitor] ?? 0) + 1;
  return group;
}
