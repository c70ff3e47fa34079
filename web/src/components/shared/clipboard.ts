/** Copies a text; from its field by the old way where a page without https may not. */
export async function copied(text: string, field: HTMLInputElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field?.select();
    document.execCommand('copy');
  }
}
