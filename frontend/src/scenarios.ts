import { localised, type Lang, type RunMeta } from './types'

/** A condition by its name; a meeting of a round robin as who meets whom. */
export const conditionSaid = (name: string, lang: Lang): string => name.replaceAll('_vs_', lang === 'zh' ? ' 对 ' : ' v ')

/** What to look for in it; "" where its preset says nothing. */
export const lookSaid = ({ scenario }: Pick<RunMeta, 'scenario'>, lang: Lang): string => localised(scenario.look ?? {}, lang)

/** What a run is of: its scenario, and which of that scenario's conditions where there are several. */
export function scenarioSaid({ scenario, condition }: Pick<RunMeta, 'scenario' | 'condition'>, lang: Lang): string {
  const title = localised(scenario.title, lang) || scenario.name
  return condition && condition !== 'base' ? `${title} · ${conditionSaid(condition, lang)}` : title
}
