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
