/** Where in the page one is: the address, and how to go elsewhere without loading anew. */
export interface Route {
  view: 'start' | 'table' | 'replay' | 'device' | 'unknown';
  id: string; // of a table, or the word that moves an identity here
  record?: string; // the text of one that was opened here: it stays with this place of the history
}

const ID = /^[\w-]*$/; // whatever else stands in an address is the id of nothing

export function routed(path: string): Route {
  const [, first = '', second = ''] = (path.split(/[?#]/)[0] ?? '').split('/');
  if (!ID.test(second)) return { view: 'unknown', id: '' };
  if (first === '') return { view: 'start', id: '' };
  if (first === 't' && second) return { view: 'table', id: second };
  if (first === 'replay') return { view: 'replay', id: second };
  if (first === 'device' && second) return { view: 'device', id: second };
  return { view: 'unknown', id: '' };
}

function here(): Route {
  const { record } = (history.state ?? {}) as { record?: string };
  return { ...routed(location.pathname), record };
}

class Place {
  route: Route = $state.raw(here());

  constructor() {
    addEventListener('popstate', () => (this.route = here()));
    document.addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.route = routed(path);
    scrollTo(0, 0);
  }

  /** Show a record; going back and forth, or loading anew, comes to it again. */
  show(record: string): void {
    history.pushState({ record }, '', '/replay');
    this.route = here();
    scrollTo(0, 0);
  }

  /** Links of our own do not load the page anew. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return; // a place on this page
    if (link.pathname.startsWith('/api') || routed(link.pathname).view === 'unknown') return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const place = new Place();
