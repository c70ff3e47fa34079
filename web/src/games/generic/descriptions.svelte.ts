/** Positions in words and drawings, from the server: each is loaded once, for its names and theme. */
import { MediaQuery, SvelteMap } from 'svelte/reactivity';
import { api } from '../../lib/api';
import type { Description, DescriptionBody, GameEvent, Position } from '../../lib/protocol';
import { settings } from '../../lib/settings.svelte';
import type { PlayedStep } from '../types';

const MAX_KEPT = 60; // descriptions, the oldest dropped first
const MAX_WAIT_MS = 4000; // for the sentences of steps, which are shown only with them
const RETRIES_MS = [500, 2000, 5000]; // after a failure

/** The actions that led to a position: a drawing may show the last one. */
interface Origin {
  position: Position;
  actions: string[];
}

const descriptions = new SvelteMap<string, Description>();
const colours = new SvelteMap<string, readonly string[]>(); // of the seats, by game string
const loading: Record<string, Promise<void>> = {};
const origins = new WeakMap<Position, Origin>();
const sentences = new WeakMap<GameEvent, string>();
const darkScheme = new MediaQuery('(prefers-color-scheme: dark)');

const theme = () => (settings.theme !== 'auto' ? settings.theme : darkScheme.current ? 'dark' : 'light');

/** Return the key of a description: whatever it depends on. */
const keyOf = (position: Position, names: readonly string[], shown = theme()) => JSON.stringify([position, names, shown]);

function add(key: string, description: Description, { game }: Position): void {
  descriptions.set(key, description);
  if (!colours.has(game)) colours.set(game, description.colours);
  if (descriptions.size > MAX_KEPT) descriptions.delete(descriptions.keys().next().value as string);
}

const request = ({ position, actions }: Origin, names: readonly string[]): DescriptionBody => ({ position: { ...position }, actions, names: [...names], theme: theme() });

/** Return the description of a position; undefined until it is loaded. */
export function descriptionOf(position: Position, names: readonly string[]): Description | undefined {
  const key = keyOf(position, names);
  const known = descriptions.get(key);
  if (known === undefined)
    loading[key] ??= load(key, position, request(origins.get(position) ?? { position, actions: [] }, names)).finally(() => delete loading[key]);
  return known;
}

async function load(key: string, position: Position, body: DescriptionBody): Promise<void> {
  for (const ms of [...RETRIES_MS, 0]) {
    const description = await api.describe(body).catch(() => null);
    if (description) return add(key, description, position);
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Load the sentences of steps, and the description of the position after them. */
export async function loadSteps(before: Position, steps: readonly (PlayedStep & { position?: Position })[], after: Position, names: readonly string[]): Promise<void> {
  const origin = { position: before, actions: steps.map(({ action }) => action) };
  const key = keyOf(after, names);
  let from: Position | undefined = before;
  for (const { action, position } of steps) {
    if (position && from) origins.set(position, { position: from, actions: [action] });
    from = position;
  }
  if (!origins.has(after)) origins.set(after, origin);
  const tooLong = new Promise<null>((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS));
  const description = await Promise.race([api.describe(request(origin, names)).catch(() => null), tooLong]);
  if (!description) return; // the actions are shown instead
  steps.forEach(({ events }, at) => events.forEach((event, number) => sentences.set(event, description.steps[at]?.[number] ?? '')));
  add(key, description, after);
}

/** Return the colours of the seats, once a position of the game is described. */
export const coloursOf = (game: string): readonly string[] => colours.get(game) ?? [];

/** Return an event as a sentence; empty if it could not be loaded. */
export const sentenceOf = (event: GameEvent): string => sentences.get(event) ?? '';
