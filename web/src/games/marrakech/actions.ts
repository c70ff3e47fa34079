/** The texts of actions: `left`, `ahead`, `right` turn Assam; `c2c3` lays a rug on a place. */

/** Quarter turns to the right, by action. */
export const QUARTER_TURNS: Record<string, number> = { left: -1, ahead: 0, right: 1 };

export function isPlace(action: string): boolean {
  return /^[a-g][1-7][a-g][1-7]$/.test(action);
}

/** Return the two squares of a place. */
export function squaresOf(place: string): [string, string] {
  return [place.slice(0, 2), place.slice(2)];
}

/** Return whether the two squares of a place are side by side in a row. */
export function isHorizontal(place: string): boolean {
  return place.charAt(1) === place.charAt(3);
}
