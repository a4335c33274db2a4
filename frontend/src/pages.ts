import type { Component } from 'svelte'
import type { Boot } from './boot'
import { expect } from './games'

/** A page of the site: its own part of the bundle, fetched when it is opened, and what it is given. */
export interface Opened {
  page: Component<Record<string, unknown>>
  props: Record<string, unknown>
}

/** Pages that draw a match from their first moment on. */
const DRAWN: ReadonlySet<string> = new Set(['run', 'embed', 'play'])

/** The page that an address leads to; null where there is nothing to mount. */
export async function open(boot: Boot, query: URLSearchParams): Promise<Opened | null> {
  const { run_id, id, csrf = '' } = boot
  /** A second run to show beside the first: `?with=ID`. */
  const other = query.get('with')
  if (boot.game && DRAWN.has(boot.page)) expect(boot.game, boot.lang)
  switch (boot.page) {
    case 'run':
      if (!run_id) return null
      if (other) return opened(import('./run/ComparePage.svelte'), { ids: [other, run_id] })
      if (boot.experiment || boot.of_session) return opened(import('./experiment/CellPage.svelte'), { id: run_id, csrf, of: boot.experiment ?? null, session: boot.of_session ?? null })
      return opened(import('./run/RunPage.svelte'), { id: run_id, csrf })
    case 'embed':
      return run_id ? opened(import('./run/EmbedPage.svelte'), { id: run_id }) : null
    case 'folder':
      return boot.folder ? opened(import('./folder/FolderPage.svelte'), { folder: boot.folder }) : null
    case 'file':
      return boot.run ? opened(import('./folder/FilePage.svelte'), { run: boot.run, as: boot.as ?? null, words: boot.words ?? {}, story: boot.story ?? null }) : null
    case 'new':
      return boot.game ? opened(import('./form/NewPage.svelte'), { boot }) : null
    case 'lobby':
      return opened(import('./lobby/LobbyPage.svelte'), { boot })
    case 'runs':
      return opened(import('./runs/RunsPage.svelte'), { boot })
    case 'experiments':
      return opened(import('./experiment/ExperimentsPage.svelte'), { boot })
    case 'experiment':
      return boot.slug ? opened(import('./experiment/ExperimentPage.svelte'), { boot }) : null
    case 'experimentnew':
      return opened(import('./experiment/NewExperimentPage.svelte'), { boot })
    case 'models':
      return opened(import('./models/ModelsPage.svelte'), { boot })
    case 'calls':
      return run_id ? opened(import('./models/CallsPage.svelte'), { id: run_id, csrf: boot.csrf ?? '' }) : null
    case 'tables':
      return opened(import('./tables/TablesPage.svelte'), { boot })
    case 'tv':
      return opened(import('./tv/TvPage.svelte'), { boot })
    case 'projector':
      return run_id ? opened(import('./tv/ProjectorPage.svelte'), { id: run_id }) : null
    case 'class':
      return boot.session !== undefined ? opened(import('./tv/ClassPage.svelte'), { session: boot.session, csrf, door: boot.door ?? '', entry: boot.entry ?? '' }) : null
    case 'join':
      return opened(import('./people/JoinPage.svelte'), { boot })
    case 'play':
      return id ? opened(import('./people/PlayPage.svelte'), { id, csrf }) : null
    case 'study':
      return opened(import('./people/StudyPage.svelte'), {})
    case 'plain':
      return document.querySelector('[data-operator], [data-nav]') ? opened(import('./people/LeadPage.svelte'), {}) : null
  }
}

/** A page with all that it is given, which is checked here, and asked for nowhere else. */
async function opened<Props extends Record<string, any>>(module: Promise<{ default: Component<Props> }>, props: NoInfer<Props>): Promise<Opened> {
  const { default: page } = await module
  return { page: page as unknown as Opened['page'], props }
}
