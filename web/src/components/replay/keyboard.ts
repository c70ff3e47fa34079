/** The keyboard shortcuts of the replay viewer. */
import type { ReplayViewer } from '../../lib/replay.svelte';

type Navigation = Pick<ReplayViewer, 'goBy' | 'goByTurn' | 'go' | 'pause' | 'togglePlayback' | 'lastStep'>;

/** Handle a key; return false if it has no function here, or another one in the focused element. */
export function handleKey(event: KeyboardEvent, viewer: Navigation): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input:not([type=range]), textarea, select, dialog, [role=tablist]')) return false;
  if (event.key === ' ' && target?.closest('button, a, summary')) return false;
  switch (event.key) {
    case 'ArrowLeft':
      if (event.shiftKey) viewer.goByTurn(-1);
      else viewer.goBy(-1);
      return true;
    case 'ArrowRight':
      if (event.shiftKey) viewer.goByTurn(1);
      else viewer.goBy(1);
      return true;
    case 'ArrowUp':
      viewer.goByTurn(-1);
      return true;
    case 'ArrowDown':
      viewer.goByTurn(1);
      return true;
    case 'Home':
    case 'End':
      viewer.pause();
      viewer.go(event.key === 'Home' ? 0 : viewer.lastStep);
      return true;
    case ' ':
      viewer.togglePlayback();
      return true;
    default:
      return false;
  }
}
