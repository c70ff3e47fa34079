import type { GameInfo } from '../types';
import StartScene from './start/StartScene.svelte';

const info: GameInfo = {
  title: 'Marrakech',
  order: 1,
  presetKnob: 'edition',
  defaultPreset: 'gigamic',
  seatKnob: 'first',
  soloPlayers: 2,
  StartScene,
};
export default info;
