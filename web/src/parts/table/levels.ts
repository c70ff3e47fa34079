import { t, type Key } from '../../lib/texts.svelte';

const NAMES: Record<string, Key> = {
  random: 'table.level.random',
  greedy: 'table.level.greedy',
};

/** How strong a computer player is, in words; a level we have no word for by its own name. */
export function levelName(level: string | null): string {
  const key = level === null ? undefined : NAMES[level];
  return key ? t(key) : (level ?? '');
}
