/** The keys of the viewer. */
import type { Viewer } from '../../lib/replay.svelte';

type Steered = Pick<Viewer, 'by' | 'byTurn' | 'go' | 'pause' | 'toggle' | 'last'>;

/** Do what a key asks for; false if it means nothing here, or something else to where the focus is. */
export function keyed(event: KeyboardEvent, viewer: Steered): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input:not([type=range]), textarea, select, dialog, [role=tablist]')) return false;
  if (event.key === ' ' && target?.closest('button, a, summary')) return false;
  switch (event.key) {
    case 'ArrowLeft':
      if (event.shiftKey) viewer.byTurn(-1);
      else viewer.by(-1);
      return true;
    case 'ArrowRight':
      if (event.shiftKey) viewer.byTurn(1);
      else viewer.by(1);
      return true;
    case 'ArrowUp':
      viewer.byTurn(-1);
      return true;
    case 'ArrowDown':
      viewer.byTurn(1);
      return true;
    case 'Home':
    case 'End':
      viewer.pause();
      viewer.go(event.key === 'Home' ? 0 : viewer.last);
      return true;
    case ' ':
      viewer.toggle();
      return true;
    default:
      return false;
  }
}
