import type { Game } from '../types';
import { parseAction } from './actions';
import { applyEvent, duration } from './applyEvent';
import Board from './Board.svelte';
import ChoiceList from './ChoiceList.svelte';
import Controls from './Controls.svelte';
import { SEAT_STYLES } from './drawing/shapes';
import Holdings from './Holdings.svelte';
import HoldingsSummary from './HoldingsSummary.svelte';
import PositionEditor from './PositionEditor.svelte';
import type { MarraCashEvent, MarraCashPosition } from './protocol';
import ResultBreakdown from './ResultBreakdown.svelte';
import { confirmLabel, describeAction, describeEvent, describeTask } from './words';

const game: Game<MarraCashPosition, MarraCashEvent> = {
  name: 'marracash',
  Board,
  Controls,
  choiceList: (legal) => (legal.some((action) => ['move', 'auction'].includes(parseAction(action).kind)) ? ChoiceList : null),
  boardRatio: 1.28,
  Holdings,
  HoldingsSummary,
  PositionEditor,
  applyEvent,
  duration,
  describeEvent,
  describeTask,
  describeAction,
  confirmLabel,
  seatColour: (_, seat) => `var(--${SEAT_STYLES[seat % SEAT_STYLES.length]!.colour})`,
  scoreParts: () => [], // money is the score
  ResultBreakdown,
  helpTopic: ({ phase, round }) => (phase === 'choose' && round === 1 ? 'first' : phase),
};
export default game;
