import { designWords } from './design'
import { experimentWords } from './experiment'
import { exportsWords } from './exports'
import { hostingWords } from './hosting'
import { pageWords } from './pages'
import { peopleWords } from './people'
import type { Words } from './rows'
import { runsWords } from './runs'
import { watchWords } from './watch'

/** The words by page, as they are laid together: a key stands in one of them alone. */
export const PAGES: readonly Words[] = [pageWords, peopleWords, hostingWords, experimentWords, designWords, runsWords, exportsWords, watchWords]
export const WORDS = { ...pageWords, ...peopleWords, ...hostingWords, ...experimentWords, ...designWords, ...runsWords, ...exportsWords, ...watchWords }
