/** Descriptions of events, tasks, actions, previews and the board. */
import type { PositionView, Preview } from '../../lib/protocol';
import type { MarrakechColour as Colour, MarrakechCovered as Covered, MarrakechEvent, MarrakechPosition } from './protocol';
import { joinWords, texts } from '../../lib/texts.svelte';
import { t, type Key } from './translate';
import { isPlace, QUARTER_TURNS, squaresOf } from './actions';
import { turn } from './geometry';
import { inLowestTerms, stopsOf, type Stop } from './preview';

export const colourName = (colour: string) => t(`marrakech.colour.${colour}` as Key);
export const facingName = (facing: string) => t(`marrakech.facing.${facing}` as Key);

/** Return a number with its sign. */
export function signed(value: number): string {
  const options = { signDisplay: 'exceptZero', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(texts.locale, options).format(value).replace('-', '−');
}

/** Return a gain with its sign and unit. */
export const gainText = (value: number, unit: 'marrakech.gain.dirhams' | 'marrakech.gain.points') => t(unit, { gain: signed(value), n: Math.abs(value) });

export function describeEvent(event: MarrakechEvent, names: readonly string[]): string {
  switch (event.event) {
    case 'drew':
      return t('marrakech.event.drew', { name: names[event.seat] ?? '', colour: colourName(event.colour) });
    case 'turned':
      return t(`marrakech.event.turned.${event.turning}` as Key, { name: names[event.seat] ?? '', facing: facingName(event.facing) });
    case 'walked': {
      const path = event.steps.map((step) => (step.arc ? t('marrakech.event.round', { square: step.square }) : step.square));
      return t('marrakech.event.walked', { name: names[event.seat] ?? '', die: event.die, path: path.join(', ') });
    }
    case 'paid': {
      const who = { name: names[event.seat] ?? '', owner: names[event.to] ?? '', colour: colourName(event.colour) };
      const key = event.paid < event.owed ? 'marrakech.event.paid.short' : 'marrakech.event.paid';
      return t(key, { ...who, paid: event.paid, owed: event.owed });
    }
    case 'out':
      return t('marrakech.event.out', { name: names[event.seat] ?? '' });
    case 'laid': {
      const [one, other] = event.squares;
      const values = { name: names[event.seat] ?? '', colour: colourName(event.colour), one, other };
      if (!event.covered.length) return t('marrakech.event.laid', values);
      return t('marrakech.event.laid.over', { ...values, covered: describeCovered(event.covered, names) });
    }
    case 'over': {
      const scores = event.scores.map((score, seat) => t('marrakech.event.score', { name: names[seat] ?? '', score }));
      return t('marrakech.event.over', { scores: joinWords(scores) });
    }
  }
}

function describeCovered(covered: readonly Covered[], names: readonly string[]): string {
  return joinWords(
    covered.map((half) =>
      t(half.neutral ? 'marrakech.covered.neutral' : 'marrakech.covered', {
        colour: colourName(half.colour),
        owner: names[half.seat] ?? '',
        square: half.square,
      }),
    ),
  );
}

export function describeTask(view: PositionView, names: readonly string[], isMine: boolean): string {
  const position = view.position as MarrakechPosition;
  if (position.phase === 'over' || view.mover === null) return t('marrakech.task.over');
  const name = names[view.mover] ?? '';
  const whose = isMine ? 'mine' : 'other';
  if (position.phase === 'lay') {
    const colour = rugToLay(position);
    return t(`marrakech.task.lay.${whose}`, { name, colour: colour ? colourName(colour) : '' });
  }
  if (position.phase === 'turn_last') {
    const must = view.legal.includes('ahead') ? 'may' : 'must';
    return t(`marrakech.task.turn_last.${must}.${whose}`, { name });
  }
  return t(`marrakech.task.turn.${whose}`, { name });
}

/** Return the colour of the rug to be laid. */
export function rugToLay(position: MarrakechPosition): Colour | null {
  const player = position.players[position.to_move];
  return player?.next ?? null;
}

export function coloursOf(position: MarrakechPosition, seat: number): Colour[] {
  return Object.keys(position.players[seat]?.rugs ?? {}) as Colour[];
}

/** Return the seat that has a colour. */
export function ownerOf(position: MarrakechPosition, colour: Colour): number {
  return position.players.findIndex((player) => colour in player.rugs);
}

export function isNeutral(position: MarrakechPosition, colour: Colour): boolean {
  return position.players[ownerOf(position, colour)]?.out ?? false;
}

/** Return where Assam faces after an action that turns him. */
export const facingAfter = (position: MarrakechPosition, action: string) =>
  turn(position.assam.facing, QUARTER_TURNS[action] ?? 0);

export function describeAction(action: string, position: MarrakechPosition): string {
  if (action in QUARTER_TURNS)
    return t(action === 'ahead' ? 'marrakech.action.ahead' : 'marrakech.action.turn', { facing: facingName(facingAfter(position, action)) });
  if (isPlace(action)) {
    const [one, other] = squaresOf(action);
    const colour = rugToLay(position);
    return t('marrakech.action.lay', { colour: colour ? colourName(colour) : '', one, other });
  }
  if (/^\d$/.test(action)) return t('marrakech.action.die', { die: Number(action) });
  return t('marrakech.action.drawn', { colour: colourName(action) });
}

export function confirmLabel(action: string, position: MarrakechPosition): string {
  if (action in QUARTER_TURNS) return t(position.phase === 'turn_last' ? 'marrakech.confirm.turn' : 'marrakech.confirm.roll');
  return t('marrakech.confirm.lay');
}

/** Describe where Assam may stop, with a sentence for each different outcome. */
export function describeStops(preview: Preview, seat: number, names: readonly string[]): string[] {
  const byOutcome = new Map<string, Stop[]>();
  for (const stop of stopsOf(preview)) {
    const outcome = `${stop.to} ${stop.paid} ${stop.isOut}`;
    byOutcome.set(outcome, [...(byOutcome.get(outcome) ?? []), stop]);
  }
  return [...byOutcome.values()].map((stops) => describeOutcome(stops, seat, names));
}

function describeOutcome(stops: readonly Stop[], seat: number, names: readonly string[]): string {
  const { walker, to, paid, isOut } = stops[0] as Stop;
  const [chance, of] = inLowestTerms(stops.reduce((sum, stop) => sum + stop.sixths, 0));
  const squares = joinWords(stops.map((stop) => stop.square), 'disjunction');
  const values = { squares, chance, of, paid, name: names[walker] ?? '', owner: to === null ? '' : (names[to] ?? '') };
  const isMe = walker === seat;
  if (to === null && of === 1) return t(isMe ? 'marrakech.stop.free.all' : 'marrakech.stop.free.all.other', values);
  if (to === null) return t(isMe ? 'marrakech.stop.free' : 'marrakech.stop.free.other', values);
  if (isOut) return t(isMe ? 'marrakech.stop.out' : 'marrakech.stop.out.other', values);
  if (isMe) return t('marrakech.stop.pay', values);
  return t(to === seat ? 'marrakech.stop.earn' : 'marrakech.stop.other', values);
}

/** Describe a place with what it covers and, once it is known, the gain. */
export function describePlace(place: string, position: MarrakechPosition, names: readonly string[], gain: number | null): string {
  const [one, other] = squaresOf(place);
  const covered = coveredBy(place, position);
  const over = describeCovered(covered, names);
  const key: Key = covered.length ? 'marrakech.place.over' : 'marrakech.place';
  const description = t(key, { one, other, covered: over });
  return gain === null ? description : t('marrakech.place.gain', { place: description, gain: gainText(gain, 'marrakech.gain.points') });
}

/** Return the halves that a rug on this place would cover. */
export function coveredBy(place: string, position: MarrakechPosition): Covered[] {
  return squaresOf(place).flatMap((square) => {
    const half = position.squares[square];
    if (!half) return [];
    return [{ square, colour: half.colour, seat: ownerOf(position, half.colour), neutral: isNeutral(position, half.colour) }];
  });
}

/** Describe the board for screen readers. */
export function describeBoard(position: MarrakechPosition, names: readonly string[]): string {
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
