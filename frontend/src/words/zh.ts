import { WORDS } from './all'
import { column } from './rows'

/** What `../../words.ts` makes plain when the pages are built: a browser is sent the one language that it reads. */
export default column(WORDS, 'zh')
