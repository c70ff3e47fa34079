/** MarraCash on the page. */
import { t } from '../../lib/texts.svelte';
import type { MarraCashEvent, MarraCashPosition } from '../../lib/protocol';
import type { Game } from '../types';
import Board from './Board.svelte';
import HoldingsSummary from './HoldingsSummary.svelte';
import Controls from './Controls.svelte';
import Holdings from './Holdings.svelte';
import { SEATS } from './drawing/shapes';
import { lasts, shown } from './applyEvent';
import { named, todo, told } from './words';

const marracash: Game = {
  name: 'marracash',
  Board,
  Controls,
  Holdings,
  HoldingsSummary,
  shown: (position, event) => shown(position as MarraCashPosition, event as MarraCashEvent),
  lasts: (event) => lasts(event as MarraCashEvent),
  told: (event, names) => told(event as MarraCashEvent, names),
  todo,
  named: (action, position) => named(action, position as MarraCashPosition),
  points: (_position, scores, seat) => [{ what: t('marracash.dirhams', { n: scores[seat] ?? 0 }), points: scores[seat] ?? 0 }],
  colours: (_position, seat) => {
    const { colour, pattern } = SEATS[seat % SEATS.length]!;
    return [`var(--${colour})`, pattern];
  },
};
export default marracash;
