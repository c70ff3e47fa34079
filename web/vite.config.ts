import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { licenses } from './licenses.ts';

const OUT = '../souk/page';
// What the start page shares with other views, in one file instead of many small ones.
const START = /\/src\/(lib\/(announce|api|blocks|errors|me|openRecord|router|serverStatus|settings|textFormat|texts)\.|components\/(shared\/(Icon|icons|LoadError|NameField|toasts)\.|start\/(createTable|tableList|tableOptions|TableRow)\.))/;

/** Write a compressed copy of each text file, so that the server never compresses. */
function precompress(): Plugin {
  const compressible = /\.(js|css|html|svg|webmanifest|json)$/;
  const walk = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? walk(path) : [path];
    });
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      for (const path of walk(OUT).filter((path) => compressible.test(path))) {
        const text = readFileSync(path);
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(`${path}.br`, brotliCompressSync(text, quality));
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), licenses('licenses.txt'), precompress()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { advancedChunks: { groups: [{ name: 'start', test: START }] } } },
  },
  server: { proxy: { '/api': { target: process.env.SOUK ?? 'http://127.0.0.1:8080', ws: true } } },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testSetup.ts'],
    isolate: false, // a process for each file takes twice as long
    fileParallelism: false,
  },
} as Parameters<typeof defineConfig>[0]);
