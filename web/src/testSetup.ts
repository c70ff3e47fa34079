/** Runs before every test file: the little of a browser that texts need. */
const browser = { document: { documentElement: {}, querySelector: () => null }, navigator: { languages: ['en'] } };
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
