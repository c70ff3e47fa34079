/** The page's router: parses the address and goes to other views without a reload. */
export interface Route {
  view: 'start' | 'games' | 'table' | 'replay' | 'study' | 'learn' | 'device' | 'unknown';
  id: string; // of a table, the name of a game, or the code that claims an identity
  record?: string; // the text of an opened record, stored in the history entry
}

const ID = /^[\w-]*$/;

export function parseRoute(path: string): Route {
  const [, first = '', second = ''] = (path.split(/[?#]/)[0] ?? '').split('/');
  if (!ID.test(second)) return { view: 'unknown', id: '' };
  if (first === '') return { view: 'start', id: '' };
  if (first === 'games' && !second) return { view: 'games', id: '' };
  if (first === 't' && second) return { view: 'table', id: second };
  if (first === 'replay') return { view: 'replay', id: second };
  if (first === 'study' && !second) return { view: 'study', id: '' };
  if (first === 'learn' && second) return { view: 'learn', id: second };
  if (first === 'device' && second) return { view: 'device', id: second };
  return { view: 'unknown', id: '' };
}

function currentRoute(): Route {
  const { record } = (history.state ?? {}) as { record?: string };
  return { ...parseRoute(location.pathname), record };
}

class Router {
  route: Route = $state.raw(currentRoute());

  constructor() {
    addEventListener('popstate', () => (this.route = currentRoute()));
    document.addEventListener('click', (event) => this.#onClick(event));
  }

  /** Go to a view; `history.state` is for that view. */
  go(path: string, state: { invite: boolean } | null = null): void {
    history.pushState(state, '', path);
    this.route = parseRoute(path);
    scrollTo(0, 0);
  }

  /** Show a record; it is shown again after going back and forth or a reload. */
  showRecord(record: string): void {
    history.pushState({ record }, '', '/replay');
    this.route = currentRoute();
    scrollTo(0, 0);
  }

  /** Follow links to our own views without a reload. */
  #onClick(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return; // an anchor on this page
    if (link.pathname.startsWith('/api') || parseRoute(link.pathname).view === 'unknown') return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
