/** What the customers of a shop bring, and the visitors of its colour in sight. */
import type { BoardData } from './geometry';
import type { MarraCashColour, MarraCashPosition } from './protocol';

/** Visitors of the shop's colour, and what they bring if all of them enter. */
export interface Sight {
  count: number;
  amount: number;
}

export interface ShopFacts {
  colour: MarraCashColour;
  owner: number | null;
  customers: number;
  next: number; // what the next customer brings
  near: Sight; // at fountains from which a street leads past the shop
  town: Sight; // all at fountains
  queue: Sight;
}

/** Return what the customer after `customers` others brings. */
const payment = ({ payments }: BoardData, customers: number): number => payments[Math.min(customers, payments.length - 1)] ?? 0;

export function shopFacts(board: BoardData, position: MarraCashPosition, id: string): ShopFacts | null {
  const colour = board.shops.find((shop) => shop.id === id)?.colour;
  if (!colour) return null;
  const { owner = null, customers = 0 } = position.shops[id] ?? {};
  const starts = new Set(
    board.streets.flatMap(({ start, end, doors, doors_back }) => [
      ...(doors.some((door) => door.shop === id) ? [start] : []),
      ...(doors_back.some((door) => door.shop === id) ? [end] : []),
    ]),
  );
  const countAt = (isCounted: (fountain: string) => boolean) =>
    Object.entries(position.groups).reduce((sum, [fountain, group]) => sum + (isCounted(fountain) ? (group[colour] ?? 0) : 0), 0);
  const sight = (count: number): Sight => ({
    count,
    amount: Array.from({ length: count }, (_, i) => payment(board, customers + i)).reduce((sum, one) => sum + one, 0),
  });
  return {
    colour,
    owner,
    customers,
    next: payment(board, customers),
    near: sight(countAt((fountain) => starts.has(fountain))),
    town: sight(countAt(() => true)),
    queue: sight(position.queue.filter((one) => one === colour).length),
  };
}
