import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  // Django serves dist/ at /static/ and finds the hashed names in dist/.vite/manifest.json.
  base: '/static/',
  plugins: [svelte()],
  // Boards live in the game folders, outside this package, and may import the kit and nothing else.
  resolve: { alias: { '@polity/board': here('./src/kit/index.ts') } },
  server: { fs: { allow: [here('..')] } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    rollupOptions: { input: here('./src/main.ts') },
  },
  test: { include: ['tests/**/*.test.ts', '../games/catalog/*/board/**/*.test.ts'], environment: 'node' },
})
