import { texts } from '../../lib/texts.svelte';

/** Return the text for a level of computer players; its own name if there is no text. */
export function levelName(level: string | null): string {
  return texts.find(`start.level.${level}`) ?? level ?? '';
}
