import type { GameInfo } from '../types';

const info: GameInfo = {
  title: 'MarraCash',
  order: 2,
  presetKnob: 'layout',
  soloPlayers: 3,
  hasNoAnalysis: true,
};
export default info;
