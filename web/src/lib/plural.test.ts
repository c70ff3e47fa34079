import { expect, test } from 'vitest';
import { filled } from './plural';

const COINS = 'pays {n|one:# dirham|other:# dirhams} to {who}';

test('a number chooses the form of its language', () => {
  expect(filled(COINS, { n: 1, who: 'Leila' }, 'en')).toBe('pays 1 dirham to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'en')).toBe('pays 0 dirhams to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'fr')).toBe('pays 0 dirham to Leila');
  expect(filled(COINS, { n: 0, who: 'Leila' }, 'pt')).toBe('pays 0 dirhams to Leila');
  expect(filled('{n}', { n: 1200 }, 'de')).toBe('1.200');
});

test('what nobody filled in stays visible', () => {
  expect(filled('{what}?', {}, 'en')).toBe('{what}?');
});
