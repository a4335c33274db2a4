import ts from 'typescript'
import { expect, test } from 'vitest'

const SOURCES = import.meta.glob<string>(['../src/**/*.{ts,svelte}', '../kit/**/*.{ts,svelte}'], { query: '?raw', import: 'default', eager: true })

type Imports = ReadonlyMap<string, readonly string[]>

/** What each module of `src` and of the kit imports of them, types too, by path below `src` or with `kit/` before it. */
function importsOf(sources: Record<string, string>): Imports {
  const names = new Map(Object.keys(sources).map((path) => [path.replace(/^\.\.\/(src\/)?/, ''), path]))
  return new Map(
    [...names].map(([name, path]) => {
      const text = sources[path] ?? ''
      const script = name.endsWith('.svelte') ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map((match) => match[1]).join('\n') : text
      const asked = ts.preProcessFile(script).importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      return [name, asked.map(({ fileName }) => found(name, fileName, names)).filter((one) => one !== undefined)]
    }),
  )
}

/** The module that an address means; undefined for style sheets and what lies outside both. */
function found(from: string, address: string, names: ReadonlyMap<string, string>): string | undefined {
  const base = from.startsWith('kit/') ? from : `src/${from}`
  const name = new URL(address, `file:///${base}`).pathname.replace(/^\/(src\/)?/, '')
  const known = ['', '.ts', '/index.ts'].map((end) => name + end).find((one) => names.has(one))
  if (known === undefined && !/\.(css|json)$/.test(name)) throw new Error(`${from}: no module at ${address}`)
  return known
}

/** The first way found from a module back to itself. A component that draws itself inside itself is none. */
function circle(imports: Imports): string[] | null {
  const done = new Set<string>()
  const walk = (name: string, way: readonly string[]): string[] | null => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (done.has(name)) return null
    for (const next of imports.get(name) ?? []) {
      const back = next === name ? null : walk(next, [...way, name])
      if (back) return back
    }
    done.add(name)
    return null
  }
  for (const name of imports.keys()) {
    const back = walk(name, [])
    if (back) return back
  }
  return null
}

/** All that comes along with these modules. */
function reach(imports: Imports, from: readonly string[]): Set<string> {
  const reached = new Set(from)
  for (const name of reached) for (const next of imports.get(name) ?? []) reached.add(next)
  return reached
}

const IMPORTS = importsOf(SOURCES)

test('modules import one way only', () => {
  expect(circle(IMPORTS)?.join(' → ') ?? '').toBe('')
})

test('what the server says needs nothing but the contract', () => {
  expect([...reach(IMPORTS, ['types.ts'])]).toEqual(['types.ts', 'contract.ts'])
})

test('the kit imports nothing of the page', () => {
  const kit = [...IMPORTS.keys()].filter((name) => name.startsWith('kit/'))
  const beside = [...reach(IMPORTS, kit)].filter((name) => !name.startsWith('kit/'))
  expect(beside.sort()).toEqual(['contract.ts', 'gamewords.ts', 'jsonschema.ts', 'notes.ts', 'sentences.ts', 'types.ts', 'words/rows.ts'])
})

test('a circle is named, of types and of components as well', () => {
  const sources = {
    '../src/a.ts': "import type { B } from './b'\nexport * from './leaf'",
    '../src/b/index.ts': "import { type C } from './C.svelte'",
    '../src/b/C.svelte': `<script lang="ts">\n  import Self from './C.svelte'\n  import { a } from '../a'\n</script>`,
    '../src/leaf.ts': "// import './a'\nimport './base.css'",
  }
  expect(circle(importsOf(sources))).toEqual(['a.ts', 'b/index.ts', 'b/C.svelte', 'a.ts'])
  expect(circle(importsOf({ ...sources, '../src/b/C.svelte': '<p>alone</p>' }))).toBeNull()
})
