import { expect, test } from 'vitest';
import { filled, joined } from './textFormat';

const COINS = 'pays {n|one:# dirham|other:# dirhams} to {who}';

test('a number chooses the form of its language', () => {
  expect(filled(COINS, { n: 1, who: 'Leila' }, 'en')).toBe('pays 1 dirham to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'en')).toBe('pays 0 dirhams to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'fr')).toBe('pays 0 dirham to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'pt')).toBe('pays 0 dirhams to Leila');
  expect(filled('{n}', { n: 12000 }, 'de')).toBe('12.000');
  expect(filled('{n}', { n: 1200 }, 'de')).toBe('1200');
});

test('what nobody filled in stays visible', () => {
  expect(filled('{what}?', {}, 'en')).toBe('{what}?');
});

test('a name from right to left turns nothing around it', () => {
  expect(filled('{name}: {n}', { name: 'محمد', n: 7 }, 'en')).toBe('\u2068محمد\u2069: 7');
  expect(filled('{name}: {n}', { name: 'Zoë', n: 7 }, 'en')).toBe('Zoë: 7');
  expect(joined(['דוד', 'Zoë'], 'en', 'conjunction')).toBe('\u2068דוד\u2069 and Zoë');
});
