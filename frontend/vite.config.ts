/// <reference types="vitest/config" />
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { GROUPS } from './chunks'
import { words } from './words'

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Boards live in the game folders, outside this package, and may import the kit and nothing else.
export const boards = [{ find: '@polity/board', replacement: here('./kit/index.ts') }]

const COPIES = {
  gz: (text: Buffer) => promisify(gzip)(text, { level: 9 }),
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
}

/** Packed copies beside each script and style sheet: what is sent to a browser that takes them. */
function packed(): Plugin {
  return {
    name: 'polity-packed',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const pack = async (name: string): Promise<void> => {
        const text = await readFile(join(dir!, name))
        await Promise.all(Object.entries(COPIES).map(async ([kind, copy]) => writeFile(join(dir!, `${name}.${kind}`), await copy(text))))
      }
      await Promise.all(Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name)).map(pack))
    },
  }
}

export default defineConfig({
  // Django serves dist/ at /static/ and finds the hashed names in dist/.vite/manifest.json.
  base: '/static/',
  plugins: [svelte(), words(), packed()],
  resolve: { alias: boards },
  server: { fs: { allow: [here('..')] } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: [here('./src/main.ts'), here('./src/people/steps.css')],
      output: {
        // A file that several entries share is called after all of them, in full.
        chunkFileNames: (chunk) => `assets/${chunk.name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: { groups: GROUPS },
      },
    },
  },
  test: { include: ['tests/**/*.test.ts', '../games/catalog/*/board/**/*.test.ts'], environment: 'node', setupFiles: ['./tests/setup.ts'] },
})
