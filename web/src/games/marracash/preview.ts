/** What a preview says, put so that it can be drawn and told. */
import type { GameEvent, Gain, Preview } from '../../lib/protocol';
import { t } from '../../lib/texts.svelte';
import { signed } from './words';

/** How many would enter each shop, in the order met. */
export function entering(events: readonly GameEvent[]): Map<string, { colour: string; count: number }> {
  const found = new Map<string, { colour: string; count: number }>();
  for (const event of events)
    if (event.event === 'entered')
      found.set(event.shop, { colour: event.colour, count: (found.get(event.shop)?.count ?? 0) + 1 });
  return found;
}

export const wouldEnter = (preview: Preview) => entering([...preview.events, ...preview.later]);

/** Who would gain or lose something. */
export const touched = (preview: Preview): { seat: number; gain: Gain }[] =>
  preview.gains.map((gain, seat) => ({ seat, gain })).filter(({ gain }) => gain.least !== 0 || gain.most !== 0);

/** An amount in short, for the board. */
export const shortGain = (gain: Gain): string =>
  gain.least === gain.most ? signed(gain.least) : `${signed(gain.least)} … ${signed(gain.most)}`;

/** An amount in words. */
export const gainWord = (gain: Gain): string =>
  gain.least === gain.most
    ? signed(gain.least)
    : t('marracash.would.between', { least: signed(gain.least), most: signed(gain.most) });
