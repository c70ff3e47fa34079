/** A record that was dropped on the page, on its way to the viewer. */
export const dropped: { text: string | null } = $state({ text: null });
