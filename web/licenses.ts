import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const TEXT = /^(licen[cs]e|copying)/i;

/** Write the licence of every package whose scripts, styles or fonts are part of the page. */
export function licenses(fileName: string): Plugin {
  return {
    name: 'licenses',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames.map((name) => join(import.meta.dirname, name)),
      );
      const folders = new Set(files.flatMap((file) => PACKAGE.exec(file.replaceAll('\\', '/')) ?? []));
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf-8'));
        const text = readdirSync(folder).find((file) => TEXT.test(file));
        if (!text) this.error(`${name} is part of the page but has no licence text`);
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, text), 'utf-8').trim()}\n`;
      });
      const source = `The page contains these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
