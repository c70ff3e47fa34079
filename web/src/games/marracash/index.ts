/** MarraCash on the page. */
import type { MarracashEvent, MarracashPosition } from '../../lib/protocol';
import type { Game } from '../types';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import Purse from './Purse.svelte';
import { SEATS } from './shapes';
import { lasts, shown } from './shown';
import { named, todo, told } from './words';

const marracash: Game = {
  name: 'marracash',
  Board,
  Controls,
  Purse,
  shown: (position, event) => shown(position as MarracashPosition, event as MarracashEvent),
  lasts: (event) => lasts(event as MarracashEvent),
  told: (event, names) => told(event as MarracashEvent, names),
  todo,
  named: (action, position) => named(action, position as MarracashPosition),
  colours: (_position, seat) => {
    const { colour, pattern } = SEATS[seat % SEATS.length]!;
    return [`var(--${colour})`, pattern];
  },
};
export default marracash;
