import { setPriority } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { boards, here } from './vite.config'
import { words } from './words'

// A site that has just started builds this beside all else that it does.
setPriority(10)

// The same page once more, as one script and one style sheet, for replays that are files.
export default defineConfig({
  plugins: [svelte(), words()],
  resolve: { alias: [...boards, { find: './font.css', replacement: here('./src/nofont.css') }] },
  build: {
    target: 'es2022',
    outDir: 'dist/alone',
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {
      input: here('./src/main.ts'),
      output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]', codeSplitting: false },
    },
  },
})
