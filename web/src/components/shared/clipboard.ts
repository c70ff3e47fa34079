/** Copy a text; without https, where the clipboard API is denied, by selecting its field. */
export async function copyText(text: string, field: HTMLInputElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field?.select();
    document.execCommand('copy');
  }
}
