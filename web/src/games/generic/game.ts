/** The generic table: any game of the server, by the drawings, sentences and lists that it sends. */
import type { Game } from '../types';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import { coloursOf, descriptionOf, loadSteps, sentenceOf } from './descriptions.svelte';
import { ratioOf } from './drawing.svelte';
import Holdings from './Holdings.svelte';
import { t } from './translate';
import { actionLabel, cssColour } from './words';

const MIN_MS = 600; // for an event, and …
const LETTER_MS = 25; // … for each letter of its sentence, …
const MAX_MS = 2200; // … but no longer

/** Return a game of the server that has no folder here. */
export function genericGame(name: string, gameString: string): Game {
  return {
    name,
    Board,
    Controls,
    Holdings,
    HoldingsSummary: Holdings,
    get boardRatio() {
      return ratioOf(gameString);
    },
    applyEvent: (position) => position,
    duration: (event) => (sentenceOf(event) ? Math.min(MAX_MS, MIN_MS + LETTER_MS * sentenceOf(event).length) : 0),
    loadSteps,
    describeEvent: sentenceOf,
    describeTask: ({ position }, names) => descriptionOf(position, names)?.task ?? '',
    describeAction: actionLabel,
    confirmLabel: (action) => t('generic.confirm', { action: actionLabel(action) }),
    seatColour: (position, seat) => cssColour(coloursOf(position.game)[seat], seat),
    scoreParts: () => [],
  };
}
