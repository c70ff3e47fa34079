import type { Game } from '../types';

const marrakech = {} as Game;
export default marrakech;
