import { expect, test } from 'vitest';
import { readStudyLink, studyPath } from './studyLink';

const LINK = {
  position: { game: 'town(players=2)', phase: 'turn', to_move: 1, squares: { a1: { colour: 'red', rug: 1 } } },
  actions: ['left', '3', 'bid 250'],
  step: 2,
  names: ['Zoë', '孙子'],
};
const fragmentOf = async (link: typeof LINK) => new URL(await studyPath(link), 'http://souk').hash;

test('a study is read from its link', async () => {
  expect(await readStudyLink(await fragmentOf(LINK))).toEqual(LINK);
  const start = { ...LINK, actions: [], step: 0, names: [] };
  expect(await readStudyLink(await fragmentOf(start))).toEqual(start);
});

test('a link is short, and safe in an address', async () => {
  const long = { ...LINK, actions: Array.from({ length: 300 }, (_, number) => ['left', '3', 'f3f4'][number % 3] as string) };
  const fragment = await fragmentOf(long);
  expect(fragment).toMatch(/^#[\w-]+$/);
  expect(fragment.length).toBeLessThan(400);
});

test('damaged links are recognised', async () => {
  const fragment = await fragmentOf(LINK);
  for (const damaged of ['', '#', '#x', '#%%%', fragment.slice(0, -9), `#${'A'.repeat(99_999)}`, await fragmentOf({ ...LINK, position: 1 } as never)])
    expect(await readStudyLink(damaged)).toBeNull();
});
