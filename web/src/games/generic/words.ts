/** Actions as labels and groups, and colours of the server as CSS. */
import type { Choice } from '../../lib/protocol';
import { capitalise } from '../../lib/textFormat';

/** The page's own colours of players. */
const COLOURS = ['red', 'yellow', 'blue', 'orange', 'green', 'purple'];

/** Return the text of an action as a label: it begins with a capital if it begins with a word. */
export const actionLabel = (action: string): string => (/^[a-z]+(\s|$)/.test(action) ? capitalise(action) : action);

/** Return a colour of a seat as CSS; a seat without a known one gets a colour of the page. */
export function cssColour(colour: string | undefined, seat: number): string {
  const isOwn = colour !== undefined && !COLOURS.includes(colour) && CSS.supports('color', colour);
  return isOwn ? colour : `var(--${COLOURS.includes(colour ?? '') ? colour : COLOURS[seat % COLOURS.length]})`;
}

/** Actions of one kind. */
export interface ActionGroup {
  kind: string; // empty for actions that are alone in their kind
  actions: { action: string; label: string }[];
}

/** Group actions by kind: first those that are alone in theirs, then every kind in the order of its first action. */
export function groupActions(legal: readonly string[], choices: readonly Choice[]): ActionGroup[] {
  const kindOf = new Map(choices.map(({ action, kind }) => [action, kind]));
  const kinds = new Map<string, string[]>();
  for (const action of legal) {
    const kind = kindOf.get(action) ?? action.split(' ')[0]!; // as the server's default, so that nothing moves when its answer comes
    kinds.set(kind, [...(kinds.get(kind) ?? []), action]);
  }
  const alone = [...kinds.values()].filter((actions) => actions.length === 1).flat();
  const groups = [...kinds].filter(([, actions]) => actions.length > 1);
  return [
    ...(alone.length ? [{ kind: '', actions: alone.map((action) => ({ action, label: actionLabel(action) })) }] : []),
    ...groups.map(([kind, actions]) => ({ kind: capitalise(kind), actions: actions.map((action) => ({ action, label: shortLabel(action, kind) })) })),
  ];
}

/** Return the label of an action under the heading of its kind, which need not be repeated. */
function shortLabel(action: string, kind: string): string {
  return action.startsWith(`${kind} `) ? action.slice(kind.length + 1) : actionLabel(action);
}
