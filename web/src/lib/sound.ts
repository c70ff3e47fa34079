/** Small sounds; nothing until they are made. */
export function sound(_name: string): void {}
