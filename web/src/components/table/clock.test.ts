import { expect, test } from 'vitest';
import { clockText } from './clock';

test('time is written as on a clock', () => {
  expect([0, 7, 60, 150, 3600, 86399].map(clockText)).toEqual(['0:00', '0:07', '1:00', '2:30', '1:00:00', '23:59:59']);
});
