/** Marrakech in words: events, what is to be done, actions, and what a choice would bring. */
import type {
  MarrakechColour as Colour,
  MarrakechCovered as Covered,
  MarrakechEvent,
  MarrakechPosition,
  PositionView,
  Preview,
} from '../../lib/protocol';
import { listed, t, texts, type Key } from '../../lib/texts.svelte';
import { isPlace, squaresOf, turned } from './geometry';
import { lowest, stopsOf, type Stop } from './preview';
import { at } from './applyEvent';

export const colourName = (colour: string) => t(`marrakech.colour.${colour}` as Key);
export const facingName = (facing: string) => t(`marrakech.facing.${facing}` as Key);

/** A number of points more or less. */
export function signed(value: number): string {
  const options = { signDisplay: 'exceptZero', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(texts.locale, options).format(value).replace('-', '−');
}

export function told(event: MarrakechEvent, names: readonly string[]): string {
  switch (event.event) {
    case 'drew':
      return t('marrakech.told.drew', { name: names[event.seat] ?? '', colour: colourName(event.colour) });
    case 'turned':
      return t(`marrakech.told.turned.${event.turning}` as Key, { name: names[event.seat] ?? '', facing: facingName(event.facing) });
    case 'walked': {
      const path = event.steps.map((step) => (step.arc ? t('marrakech.told.round', { square: step.square }) : step.square));
      return t('marrakech.told.walked', { name: names[event.seat] ?? '', die: event.die, path: path.join(', ') });
    }
    case 'paid': {
      const who = { name: names[event.seat] ?? '', owner: names[event.to] ?? '', colour: colourName(event.colour) };
      const key = event.paid < event.owed ? 'marrakech.told.paid.short' : 'marrakech.told.paid';
      return t(key, { ...who, paid: event.paid, owed: event.owed });
    }
    case 'out':
      return t('marrakech.told.out', { name: names[event.seat] ?? '' });
    case 'laid': {
      const [one, other] = event.squares;
      const fillings = { name: names[event.seat] ?? '', colour: colourName(event.colour), one, other };
      if (!event.covered.length) return t('marrakech.told.laid', fillings);
      return t('marrakech.told.laid.over', { ...fillings, covered: coveredWords(event.covered, names) });
    }
    case 'over': {
      const scores = event.scores.map((score, seat) => t('marrakech.told.score', { name: names[seat] ?? '', score }));
      return t('marrakech.told.over', { scores: listed(scores) });
    }
  }
}

function coveredWords(covered: readonly Covered[], names: readonly string[]): string {
  return listed(
    covered.map((half) =>
      t(half.neutral ? 'marrakech.covered.neutral' : 'marrakech.covered', {
        colour: colourName(half.colour),
        owner: names[half.seat] ?? '',
        square: half.square,
      }),
    ),
  );
}

export function todo(view: PositionView, names: readonly string[], isMine: boolean): string {
  const position = at(view.position);
  if (position.phase === 'over' || view.mover === null) return t('marrakech.todo.over');
  const name = names[view.mover] ?? '';
  const whose = isMine ? 'mine' : 'other';
  if (position.phase === 'lay') {
    const colour = rugInHand(position);
    return t(`marrakech.todo.lay.${whose}`, { name, colour: colour ? colourName(colour) : '' });
  }
  if (position.phase === 'turn_last') {
    const must = view.legal.includes('ahead') ? 'may' : 'must';
    return t(`marrakech.todo.turn_last.${must}.${whose}`, { name });
  }
  return t(`marrakech.todo.turn.${whose}`, { name });
}

/** The rug that the player in turn lays. */
export function rugInHand(position: MarrakechPosition): Colour | null {
  const player = position.players[position.to_move];
  return player?.next ?? null;
}

export function coloursOf(position: MarrakechPosition, seat: number): Colour[] {
  return Object.keys(position.players[seat]?.rugs ?? {}) as Colour[];
}

/** Whose a colour is. */
export function ownerOf(position: MarrakechPosition, colour: Colour): number {
  return position.players.findIndex((player) => colour in player.rugs);
}

export function isNeutral(position: MarrakechPosition, colour: Colour): boolean {
  return position.players[ownerOf(position, colour)]?.out ?? false;
}

const QUARTERS: Record<string, number> = { left: -1, ahead: 0, right: 1 };

/** Where Assam looks after a turning. */
export const facingAfter = (position: MarrakechPosition, turning: string) => turned(position.assam.facing, QUARTERS[turning] ?? 0);

export function named(action: string, position: MarrakechPosition): string {
  if (action in QUARTERS) return t(`marrakech.act.${action}` as Key, { facing: facingName(facingAfter(position, action)) });
  if (isPlace(action)) {
    const [one, other] = squaresOf(action);
    const colour = rugInHand(position);
    return t('marrakech.act.lay', { colour: colour ? colourName(colour) : '', one, other });
  }
  if (/^\d$/.test(action)) return t('marrakech.act.die', { die: Number(action) });
  return t('marrakech.act.drawn', { colour: colourName(action) });
}

/** What a turning may bring: one sentence for each thing that may come of it. */
export function stopWords(preview: Preview, seat: number, names: readonly string[]): string[] {
  const alike = new Map<string, Stop[]>();
  for (const stop of stopsOf(preview)) {
    const outcome = `${stop.to} ${stop.paid} ${stop.isOut}`;
    alike.set(outcome, [...(alike.get(outcome) ?? []), stop]);
  }
  return [...alike.values()].map((stops) => stopSentence(stops, seat, names));
}

function stopSentence(stops: readonly Stop[], seat: number, names: readonly string[]): string {
  const { walker, to, paid, isOut } = stops[0] as Stop;
  const [chance, of] = lowest(stops.reduce((sum, stop) => sum + stop.sixths, 0));
  const squares = listed(stops.map((stop) => stop.square), 'disjunction');
  const fillings = { squares, chance, of, paid, name: names[walker] ?? '', owner: to === null ? '' : (names[to] ?? '') };
  const isYou = walker === seat;
  if (to === null && of === 1) return t(isYou ? 'marrakech.stop.free.all' : 'marrakech.stop.free.all.other', fillings);
  if (to === null) return t(isYou ? 'marrakech.stop.free' : 'marrakech.stop.free.other', fillings);
  if (isOut) return t(isYou ? 'marrakech.stop.out' : 'marrakech.stop.out.other', fillings);
  if (isYou) return t('marrakech.stop.pay', fillings);
  return t(to === seat ? 'marrakech.stop.earn' : 'marrakech.stop.other', fillings);
}

/** A place with what it covers and, once that is known, what it is worth. */
export function placeWords(place: string, position: MarrakechPosition, names: readonly string[], gain: number | null): string {
  const [one, other] = squaresOf(place);
  const covered = coveredBy(place, position);
  const over = coveredWords(covered, names);
  const key: Key = covered.length ? 'marrakech.place.over' : 'marrakech.place';
  const words = t(key, { one, other, covered: over });
  return gain === null ? words : t('marrakech.place.gain', { place: words, gain: signed(gain) });
}

/** What a rug would come to lie on. */
export function coveredBy(place: string, position: MarrakechPosition): Covered[] {
  return squaresOf(place).flatMap((square) => {
    const half = position.squares[square];
    if (!half) return [];
    return [{ square, colour: half.colour, seat: ownerOf(position, half.colour), neutral: isNeutral(position, half.colour) }];
  });
}

/** The board in words, for those who hear it read out. */
export function described(position: MarrakechPosition, names: readonly string[]): string {
  const { square, facing } = position.assam;
  const areas = new Map<Colour, string[]>();
  for (const at of Object.keys(position.squares).toSorted()) {
    const colour = position.squares[at]?.colour as Colour;
    areas.set(colour, [...(areas.get(colour) ?? []), at]);
  }
  const lines = [t('marrakech.board.assam', { square, facing: facingName(facing) })];
  for (const [colour, squares] of areas) {
    const owner = names[ownerOf(position, colour)] ?? '';
    const key: Key = isNeutral(position, colour) ? 'marrakech.board.neutral' : 'marrakech.board.rugs';
    lines.push(t(key, { colour: colourName(colour), owner, squares: squares.join(', '), n: squares.length }));
  }
  if (!areas.size) lines.push(t('marrakech.board.bare'));
  return lines.join(' ');
}
