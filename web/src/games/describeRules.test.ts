import { beforeAll, expect, test } from 'vitest';
import { gameInfo, gameList } from '.';
import { texts } from '../lib/texts.svelte';
import { describeRules } from './describeRules';

beforeAll(async () => {
  await texts.ready;
  for (const name of gameList.names) await texts.addGame(name);
});

test.each(gameList.names.filter((name) => gameInfo(name)?.presetKnob))('the rules of %s are told in the words of the form', (name) => {
  const { presetKnob = '', defaultPreset = 'none' } = gameInfo(name) ?? {};
  const preset = texts.find(`${name}.preset.${defaultPreset}`);
  expect(preset).not.toBeNull();
  expect(describeRules(`${name}(players=3)`)).toEqual([{ label: texts.find(`${name}.preset`), value: preset }]);
  expect(describeRules(`${name}(players=3,${presetKnob}=mine,new_rule=True)`)).toEqual([
    { label: texts.find(`${name}.preset`), value: 'Mine' },
    { label: 'New_rule', value: '' },
  ]);
});

test('people count seats from 1', () => {
  const name = gameList.names.find((one) => gameInfo(one)?.seatKnob) ?? '';
  const knob = gameInfo(name)?.seatKnob ?? '';
  expect(describeRules(`${name}(players=3,${knob}=1)`)).toContainEqual({ label: texts.find(`${name}.knob.${knob}`), value: '2' });
});
