import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve as resolved } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Plugin, type UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { GROUPS } from './chunks'
import { words } from './words'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Boards live in the game folders, outside this package, and may import the kit and nothing else.
const boards = [{ find: '@polity/board', replacement: here('./kit/index.ts') }]
const resolve: UserConfig['resolve'] = { alias: boards }

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

/** The same page once more below `alone/`, as one script and one style sheet, for replays that are files. */
function alone(): Plugin {
  let outDir = ''
  return {
    name: 'polity-alone',
    apply: 'build',
    configResolved: (config) => void (outDir = resolved(config.root, config.build.outDir)),
    async closeBundle() {
      await build({
        configFile: false,
        root: here('.'),
        logLevel: 'warn',
        plugins: [svelte(), words()],
        resolve: { alias: [...boards, { find: './font.css', replacement: here('./src/nofont.css') }] },
        build: {
          target: 'es2022',
          outDir: join(outDir, 'alone'),
          cssCodeSplit: false,
          modulePreload: false,
          rollupOptions: {
            input: here('./src/main.ts'),
            output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]', codeSplitting: false },
          },
        },
      })
    },
  }
}

export default defineConfig({
  // Django serves dist/ at /static/ and finds the hashed names in dist/.vite/manifest.json.
  base: '/static/',
  plugins: [svelte(), words(), packed(), alone()],
  resolve,
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
