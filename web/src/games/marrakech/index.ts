import type { Game } from '../types';
import { isPlace } from './actions';
import { applyEvent, duration } from './applyEvent';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import PlaceList from './controls/PlaceList.svelte';
import Holdings from './Holdings.svelte';
import PositionEditor from './PositionEditor.svelte';
import type { MarrakechEvent, MarrakechPosition } from './protocol';
import { t } from './translate';
import { coloursOf, confirmLabel, describeAction, describeEvent, describeTask, isNeutral } from './words';

const game: Game<MarrakechPosition, MarrakechEvent> = {
  name: 'marrakech',
  Board,
  Controls,
  choiceList: (legal) => (legal.some(isPlace) ? PlaceList : null),
  Holdings,
  HoldingsSummary: Holdings,
  PositionEditor,
  applyEvent,
  duration,
  describeEvent,
  describeTask,
  describeAction,
  confirmLabel,
  describeTieBreak: (others) => t('marrakech.tieBreak', { others }),
  seatColour: (position, seat) => {
    const colour = coloursOf(position, seat)[0];
    return colour && !isNeutral(position, colour) ? `var(--${colour})` : 'var(--neutral)';
  },
  scoreParts: (position, scores, seat) => {
    const money = position.players[seat]?.dirhams ?? 0;
    const squares = (scores[seat] ?? 0) - money;
    const parts = [{ label: t('marrakech.holdings.dirhams', { n: money }), points: money }];
    if (squares > 0) parts.push({ label: t('marrakech.score.squares', { n: squares }), points: squares });
    return parts;
  },
};
export default game;
