import type { Game } from '../types';
import { applyEvent, duration } from './applyEvent';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import { SEAT_STYLES } from './drawing/shapes';
import Holdings from './Holdings.svelte';
import HoldingsSummary from './HoldingsSummary.svelte';
import PositionEditor from './PositionEditor.svelte';
import type { MarraCashEvent, MarraCashPosition } from './protocol';
import { t } from './translate';
import { confirmLabel, describeAction, describeEvent, describeTask } from './words';

const game: Game<MarraCashPosition, MarraCashEvent> = {
  name: 'marracash',
  Board,
  Controls,
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
  scoreParts: (_, scores, seat) => [{ label: t('marracash.dirhams', { n: scores[seat] ?? 0 }), points: scores[seat] ?? 0 }],
};
export default game;
