import type { BoardController } from '../types';
import type { MarrakechEvent, MarrakechPosition } from './protocol';

export type Controller = BoardController<MarrakechPosition, MarrakechEvent>;
