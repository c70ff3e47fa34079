import { expect, test } from 'vitest';
import { fillText, joinList, percentage } from './textFormat';

const COINS = 'pays {n|one:# dirham|other:# dirhams} to {who}';

test('a number chooses the plural form of the language', () => {
  expect(fillText(COINS, { n: 1, who: 'Leila' }, 'en')).toBe('pays 1 dirham to Leila');
  expect(fillText(COINS, { n: 0, who: 'Leila' }, 'en')).toBe('pays 0 dirhams to Leila');
  expect(fillText(COINS, { n: 0, who: 'Leila' }, 'fr')).toBe('pays 0 dirham to Leila');
  expect(fillText(COINS, { n: 0, who: 'Leila' }, 'pt')).toBe('pays 0 dirhams to Leila');
  expect(fillText('{n}', { n: 12000 }, 'de')).toBe('12.000');
  expect(fillText('{n}', { n: 1200 }, 'de')).toBe('1200');
});

test('a placeholder without a value stays visible', () => {
  expect(fillText('{what}?', {}, 'en')).toBe('{what}?');
});

test('names from right to left are isolated', () => {
  expect(fillText('{name}: {n}', { name: 'محمد', n: 7 }, 'en')).toBe('\u2068محمد\u2069: 7');
  expect(fillText('{name}: {n}', { name: 'Zoë', n: 7 }, 'en')).toBe('Zoë: 7');
  expect(joinList(['דוד', 'Zoë'], 'en', 'conjunction')).toBe('\u2068דוד\u2069 and Zoë');
});

test('per cent and lists are written as in the language', () => {
  expect(['en', 'de', 'it'].map((language) => percentage(0.527, language))).toEqual(['53%', '53\u00a0%', '53%']);
  expect(percentage(-0.001, 'en')).toBe('0%');
  expect(joinList(['a', 'b', 'c'], 'en', 'conjunction')).toBe('a, b and c');
});
