import type { Game } from '../types';

const marracash = {} as Game;
export default marracash;
