/** Attachment: set `--top` to the distance from the top of the page, so that the element can fill the window. */
export function measureTop(element: HTMLElement): () => void {
  const measure = () => {
    const top = element.getBoundingClientRect().top + scrollY;
    element.style.setProperty('--top', `${top}px`);
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(document.body);
  return () => observer.disconnect();
}

/** Attachment: scroll to an element that has just opened, and give it the focus. */
export function reveal(element: HTMLElement): void {
  element.scrollIntoView({ block: element.offsetHeight > innerHeight ? 'start' : 'nearest' });
  element.focus({ preventScroll: true });
}

/** Attachment: make the element focusable while it has to be scrolled, as arrow keys scroll it then. */
export function focusableIfScrollable(node: HTMLElement): () => void {
  const update = () => {
    if (node.scrollHeight > node.clientHeight + 1) node.tabIndex = 0;
    else node.removeAttribute('tabindex');
  };
  const resizes = new ResizeObserver(update);
  const observe = () => {
    resizes.disconnect();
    for (const one of [node, ...node.children]) resizes.observe(one);
  };
  observe();
  const children = new MutationObserver(observe);
  children.observe(node, { childList: true });
  return () => {
    children.disconnect();
    resizes.disconnect();
  };
}
