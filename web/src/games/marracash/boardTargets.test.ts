import { expect, it } from 'vitest';
import { nextTarget, type Target } from './boardTargets';

const at = (key: string, x: number, y: number): Target => ({ key, at: [x, y], radius: 10, label: key, action: null, isSelected: false });

it('arrow keys lead where they point', () => {
  const here = at('here', 0, 0);
  const targets = [here, at('right', 300, 40), at('low', 20, 100), at('left', -50, 20), at('nearly above', 10, -200)];
  const next = (key: string) => nextTarget(targets, here, key)?.key;
  expect(next('ArrowRight')).toBe('right'); // and not the nearer one below
  expect(next('ArrowDown')).toBe('low');
  expect(next('ArrowLeft')).toBe('left');
  expect(next('ArrowUp')).toBe('nearly above');
  expect(nextTarget([here, at('low', 20, 100)], here, 'ArrowRight')).toBeNull();
  expect(next('Home')).toBe('here');
  expect(next('End')).toBe('nearly above');
});
