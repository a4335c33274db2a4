import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'
import { designEn, designZh, type DesignKey } from './design'
import { en, type Key as PageKey } from './en'
import { experimentEn, experimentZh, type ExperimentKey } from './experiment'
import { exportsEn, exportsZh, type ExportsKey } from './exports'
import { hostingEn, hostingZh, type HostingKey } from './hosting'
import { peopleEn, peopleZh, type PeopleKey } from './people'
import { runsEn, runsZh, type RunsKey } from './runs'
import { watchEn, watchZh, type WatchKey } from './watch'
import { zh } from './zh'

/** The English words by page, as they are laid together: a key stands in one of them alone. */
export const PAGES: readonly Record<string, string>[] = [en, peopleEn, hostingEn, experimentEn, designEn, runsEn, exportsEn, watchEn]
/** Words by page, laid together: English and Chinese hold the same keys. */
const EN = { ...en, ...peopleEn, ...hostingEn, ...experimentEn, ...designEn, ...runsEn, ...exportsEn, ...watchEn }
const ZH = { ...zh, ...peopleZh, ...hostingZh, ...experimentZh, ...designZh, ...runsZh, ...exportsZh, ...watchZh }

export type Key = PageKey | PeopleKey | HostingKey | ExperimentKey | DesignKey | RunsKey | ExportsKey | WatchKey
export const PAGE_WORDS: Record<Lang, Record<Key, string>> = { en: EN, zh: ZH }

/** Whether the page has words of that name. */
export function isKey(name: string): name is Key {
  return Object.hasOwn(PAGE_WORDS.en, name)
}

/** A page's string with its placeholders filled. */
export function word(lang: Lang, key: Key, facts?: Facts): string {
  const text = PAGE_WORDS[lang][key]
  return facts ? spoken(sentence(text, facts), String) : text
}
