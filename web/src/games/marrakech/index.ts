import { t } from '../../lib/texts.svelte';
import type { Game } from '../types';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import Holdings from './Holdings.svelte';
import { at, lasts, of, shown } from './applyEvent';
import { coloursOf, isNeutral, named, todo, told } from './words';

const marrakech: Game = {
  name: 'marrakech',
  Board,
  Controls,
  Holdings,
  HoldingsSummary: Holdings,
  shown: (position, event) => shown(at(position), of(event)),
  lasts: (event) => lasts(of(event)),
  told: (event, names) => told(of(event), names),
  todo,
  named: (action, position) => named(action, at(position)),
  untied: (others) => t('marrakech.tie', { others }),
  colours: (position, seat) =>
    coloursOf(at(position), seat).map((colour) => (isNeutral(at(position), colour) ? 'var(--neutral)' : `var(--${colour})`)),
};
export default marrakech;
