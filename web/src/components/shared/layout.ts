/** Tells an element how far below the top of the page it begins, so that it can fill the window. */
export function fromTop(element: HTMLElement): () => void {
  const measure = () => {
    const top = element.getBoundingClientRect().top + scrollY;
    element.style.setProperty('--top', `${top}px`);
  };
  measure();
  const watcher = new ResizeObserver(measure);
  watcher.observe(document.body);
  return () => watcher.disconnect();
}

/** What has to be scrolled can be reached by Tab, as arrows scroll it then; what fits is no stop. */
export function scrolled(node: HTMLElement): () => void {
  const look = () => {
    if (node.scrollHeight > node.clientHeight + 1) node.tabIndex = 0;
    else node.removeAttribute('tabindex');
  };
  const sized = new ResizeObserver(look);
  const observe = () => {
    sized.disconnect();
    for (const one of [node, ...node.children]) sized.observe(one);
  };
  observe();
  const changed = new MutationObserver(observe); // what comes later may make it too long
  changed.observe(node, { childList: true });
  return () => {
    changed.disconnect();
    sized.disconnect();
  };
}
