/** Entering visitors and gains according to a preview. */
import type { Gain, Preview } from '../../lib/protocol';
import type { MarraCashColour, MarraCashEvent } from './protocol';
import { t } from './translate';
import { signed } from './words';

export type EnteringVisitors = Map<string, { colour: MarraCashColour; count: number }>;

/** Return how many visitors enter each shop, in order. */
export function enteringVisitors(events: readonly MarraCashEvent[]): EnteringVisitors {
  const shops: EnteringVisitors = new Map();
  for (const event of events)
    if (event.event === 'entered')
      shops.set(event.shop, { colour: event.colour, count: (shops.get(event.shop)?.count ?? 0) + 1 });
  return shops;
}

export const previewedVisitors = (preview: Preview) =>
  enteringVisitors([...preview.events, ...preview.later] as MarraCashEvent[]);

/** Return the seats that would gain or lose something. */
export const seatGains = (preview: Preview): { seat: number; gain: Gain }[] =>
  preview.gains.map((gain, seat) => ({ seat, gain })).filter(({ gain }) => gain.least !== 0 || gain.most !== 0);

/** Return a gain as a short text. */
export const shortGain = (gain: Gain): string =>
  gain.least === gain.most ? signed(gain.least) : `${signed(gain.least)} … ${signed(gain.most)}`;

/** Return a gain in words. */
export const describeGain = (gain: Gain): string =>
  gain.least === gain.most
    ? signed(gain.least)
    : t('marracash.preview.between', { least: signed(gain.least), most: signed(gain.most) });
