import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256, solve } from './proofOfWork';

const hex = (words: Uint32Array) => [...words].map((word) => word.toString(16).padStart(8, '0')).join('');

test('the hash is SHA-256, for texts of any length', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'souk 0123456789-_.:'.repeat(11).slice(0, length);
    expect(hex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('a challenge is solved as the server checks it', async () => {
  expect(await solve('example', 8)).toEqual({ challenge: 'example', solution: '20' });
  const { solution } = await solve('1700000120000-abc.sig_nature', 12);
  const digest = createHash('sha256').update(`1700000120000-abc.sig_nature:${solution}`).digest('hex');
  expect(digest.slice(0, 3)).toBe('000');
});
