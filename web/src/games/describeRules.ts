/** The rules of a table in words: the preset and the house rules of a game string. */
import { textOr } from '../lib/texts.svelte';
import { gameInfo, gameList } from '.';

/** A rule and its value; the value is empty if the rule is on or off. */
export interface RuleText {
  label: string;
  value: string;
}

/** Describe the rules of a game string such as `name(players=2,layout=large,souvenirs=True)`, without the number of players. */
export function describeRules(game: string): RuleText[] {
  const [name = '', written = ''] = game.replace(/\)$/, '').split('(');
  const { presetKnob = '', defaultPreset, seatKnob } = gameInfo(name) ?? {};
  const settings = new Map(written.split(',').map((setting) => setting.split('=') as [string, string]));
  if (defaultPreset && !settings.has(presetKnob)) settings.set(presetKnob, defaultPreset);
  settings.delete('players');
  return [...settings]
    .filter(([knob]) => knob)
    .map(([knob, value]) => {
      const key = knob === presetKnob ? `${name}.preset` : `${name}.knob.${knob}`;
      const shown = value === 'True' ? '' : knob === seatKnob ? `${Number(value) + 1}` : value; // people count seats from 1
      const about = gameList.find(name)?.knobs.find((one) => one.name === knob)?.about ?? knob;
      return { label: textOr(key, about), value: textOr(`${key}.${value}`, shown) };
    });
}
