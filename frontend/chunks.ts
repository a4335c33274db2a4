/**
 * Which parts of the bundle travel together. Each file costs the site a request, and fifty small ones cost a page more
 * time than their bytes: what several rooms of the site use is one file, and only what is large stays apart.
 */

/** What the bundler tells of a module: who imports it from the start, not on demand. */
interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

const PAGE = /[\\/]frontend[\\/]src[\\/](\w+)[\\/](\w+Page)\.svelte$/
/** Parts of the pages, and the few of the library that some of them alone use. */
const PART = /[\\/]frontend[\\/](src|kit)[\\/].*(?<!Page)\.(ts|svelte)(\?|$)|[\\/]svelte[\\/]src[\\/]reactivity[\\/]/
const KIT = /[\\/]frontend[\\/]kit[\\/]/
/** The board of games that have none of their own; it comes when such a game does. */
const FACE = /[\\/]kit[\\/]face[\\/]/
const BOARD = /[\\/]catalog[\\/](\w+)[\\/]board[\\/]/
/** Pages that are made of another room's parts than of those beside them. */
const MOVED: Readonly<Record<string, string>> = { CellPage: 'run', FilePage: 'run', FolderPage: 'run', NewExperimentPage: 'form' }
/** Rooms that share much which the others never need; broader ones first. */
const APART = ['form-people-run', 'form-models', 'form-run', 'people-run', 'run-tv']
/** The page that people open on their phones: of what many share it fetches what itself needs. */
const SEAT = 'PlayPage'
/** Bytes below which what some entries of a board share joins what others do. */
const SMALL = 16_000

/** The pages that need a module from their first moment on, each with its room; none for what the entry itself needs. */
function pages(id: string, modules: Modules): Map<string, string> {
  const found = new Map<string, string>()
  const seen = new Set([id])
  for (const one of seen) {
    const [, room = '', page] = PAGE.exec(one) ?? []
    if (page !== undefined) found.set(page, MOVED[page] ?? room)
    else if (one.endsWith('/src/main.ts')) return new Map()
    else for (const importer of modules.getModuleInfo(one)?.importers ?? []) seen.add(importer)
  }
  return found
}

/** The file of a part of the pages; null leaves it to the bundler. */
function file(id: string, modules: Modules): string | null {
  const users = pages(id, modules)
  const rooms = [...new Set(users.values())].sort()
  const shared = users.has(SEAT) ? 'seat' : 'common'
  const name = rooms.length < 2 || APART.includes(rooms.join('-')) ? rooms.join('-') : shared
  if (KIT.test(id) && !FACE.test(id)) return name === shared ? name : 'kit'
  return users.size < 2 ? null : name
}

/** Files in the order in which they are filled: broader ones first, so that no narrower one draws in what its parts import. */
const ORDER = ['seat', 'common', 'kit', ...APART, '']

/** For the bundler's `output.codeSplitting.groups`. */
export const GROUPS = [
  ...ORDER.map((wanted, at) => ({
    name: (id: string, modules: Modules) => {
      const name = file(id, modules)
      return wanted === name || (wanted === '' && name !== null && !ORDER.includes(name)) ? name : null
    },
    debugName: wanted || 'rooms',
    test: PART,
    priority: ORDER.length - at,
  })),
  { name: (id: string) => BOARD.exec(id)?.[1] ?? null, debugName: 'boards', test: BOARD, entriesAware: true, entriesAwareMergeThreshold: SMALL },
]
