import { texts } from '../../lib/texts.svelte';

/** How strong a computer player is, in words; a level we have no word for by its own name. */
export function levelName(level: string | null): string {
  return texts.find(`start.level.${level}`) ?? level ?? '';
}
