/** Mark the icon of the page, in the browser's tab, while something waits for the visitor. */
export function markIcon(isMarked: boolean): void {
  document.querySelector('link[rel=icon]')?.setAttribute('href', isMarked ? '/icon-marked.svg' : '/icon.svg');
}
