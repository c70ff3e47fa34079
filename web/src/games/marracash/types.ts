import type { BoardController } from '../types';
import type { MarraCashEvent, MarraCashPosition } from './protocol';

export type Controller = BoardController<MarraCashPosition, MarraCashEvent>;
