import { post, read } from '../api'
import type { GameWords } from '../gamewords'
import { clauses, formatted, number } from '../sentences'
import type { Facts, Lang, Said } from '../types'
import { classWord, type ClassKey } from '../words/classroom'

/** A session as its room may see it, and what its screen says of it: sentences alone, nothing that is drawn. */
export type Screen = Said<'ClassScreen'>
export type Findings = Said<'ClassFindings'>
export type Finding = Said<'Finding'>
export type Group = Said<'GroupOnScreen'>
export type Person = Said<'WaitingOnScreen'>
export type Deed = Said<'LeadIn'>['do']

export const fetchScreen = (session: number): Promise<Screen> => read<Screen>(`sessions/${session}/screen`)
export const fetchFindings = (session: number): Promise<Findings> => read<Findings>(`sessions/${session}/findings`)

/** `match`: which is meant, so that a press that comes twice begins one match. */
export async function lead(session: number, csrf: string, deed: Deed, match: number | null = null): Promise<Screen> {
  return (await post<Screen>(`sessions/${session}/lead`, csrf, { do: deed, match })).body
}

type Say = (key: ClassKey, facts?: Facts) => string
export const sayIn = (lang: Lang): Say => (key, facts) => classWord(lang, key, facts)

/** "KQ7 4MD": halves are read off a screen and typed better than the whole. */
export function halved(code: string): string {
  const half = Math.ceil(code.length / 2)
  return `${code.slice(0, half)} ${code.slice(half)}`
}

const EN_COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const counted = (n: number, lang: Lang): string => (lang === 'en' ? (EN_COUNTS[n] ?? String(n)) : String(n))

/** "Dilemma, three matches of ten rounds, new partner each time". */
export function whatIsPlayed({ played }: Screen, game: string, lang: Lang): string {
  if (!played) return ''
  const say = sayIn(lang)
  const name = played.rules[lang]?.name || game
  const { matches, rounds, size, match } = played
  // The number in words, the plural by the number.
  const plural = (text: string): string => text.replace(`${matches} match`, `${counted(matches, lang)} match`).replace(` ${rounds} round`, ` ${counted(rounds ?? 0, lang)} round`)
  const what = plural(rounds === null ? say('what', { game: name, matches }) : say('whatRounds', { game: name, matches, rounds }))
  if (matches < 2) return what
  return clauses([what, say(`rule${size === 2 ? 'Pair' : ''}_${match}`)], lang)
}

/** How somebody stands on the screen: by the name that they gave, else by a number; "" where nobody is told apart. */
export function called({ name, number: n }: { name: string; number: number | null }, lang: Lang): string {
  return name || (n === null ? '' : classWord(lang, 'number', { n }))
}

/** Who is here, and what they do: the strong part of the sentence and the rest. */
export function whoIsHere(screen: Screen, lang: Lang): [string, string] {
  const say = sayIn(lang)
  const { phase, here, groups, match, next, played, waiting, done } = screen
  const some = say('here', { here })
  if (phase === 'over') return [say('allOver'), done ? say('took', { n: done }) : '']
  if (phase === 'playing' || phase === 'paused') {
    const n = groups.filter(({ over }) => !over).length
    if (!match) return [some, say('groupsPractise', { n })]
    return [some, say(played?.size === 2 ? 'pairsPlay' : 'groupsPlay', { n, match })]
  }
  if (!here && !waiting.length) return [say('nobody'), say('nobodyMore')]
  const ready = waiting.filter(({ reading, away }) => !reading && !away).length
  if (!ready && phase === 'gathering') return [some, say('readAll')]
  if (next) return [some, say('waitAll', { n: ready, match: next.number })]
  return [some, phase === 'between' ? say('after', { match }) : say('waitGroup', { n: ready })]
}

/** How far a group is: who of them is waited for, never what anybody chose. `isShort`: without names, which are marked in their place. */
export function howFar(group: Group, lang: Lang, isShort = false): { text: string; mood: 'done' | 'away' | 'open' } {
  const say = sayIn(lang)
  if (group.over) return { text: say('finished'), mood: 'done' }
  const away = group.seats.find(({ stands }) => stands === 'away')
  if (away) {
    const facts = { who: isShort ? '' : called(away, lang), s: Math.round(away.away_s ?? 0) }
    return { text: say(facts.who ? 'awayFor' : 'somebodyAway', facts), mood: 'away' }
  }
  const replaced = group.seats.find(({ stands }) => stands === 'substituted')
  const open = group.seats.filter(({ stands }) => stands === 'deciding').length
  if (replaced) {
    const who = isShort ? '' : called(replaced, lang)
    return { text: who ? say('substitute', { who }) : say('substituteBare'), mood: 'away' }
  }
  if (!open) return { text: say(group.seats.length === 2 ? 'bothMoved' : 'allMoved'), mood: 'done' }
  return { text: open < 3 ? say(`toMove_${open as 1 | 2}`) : say('toMove', { n: open }), mood: 'open' }
}

/** What somebody does who plays in no match. */
export function howTheyWait(person: Person, screen: Screen, lang: Lang): { text: string; mood: 'done' | 'away' | 'open' } {
  const say = sayIn(lang)
  if (person.away) return { text: say('isAway'), mood: 'away' }
  if (person.reading) return { text: say('reads'), mood: 'open' }
  if (screen.phase === 'playing' || screen.phase === 'paused') {
    if (!screen.played?.led) return { text: say('waits'), mood: 'done' }
    return { text: person.plays_from ? say('playsFrom', { n: person.plays_from }) : say('noMore'), mood: 'open' }
  }
  return { text: say('waits'), mood: 'done' }
}

/** Which round the clock is of, and how many have moved. */
export function whatRuns(screen: Screen, lang: Lang): string {
  const say = sayIn(lang)
  const { clock, match, played, next, phase } = screen
  const stop = lang === 'zh' ? '；' : '; '
  if (clock) {
    const { first, last, moved, of } = clock
    const many = say('moved', { n: moved, of })
    if (!match) return `${say('roundPractice')}${stop}${many}`
    if (!first) return many
    const isOne = first === last
    const facts = { first, last, match, of: played?.rounds ?? null }
    const round = played?.rounds ? say(isOne ? 'round' : 'rounds', facts) : say(isOne ? 'roundOpen' : 'roundsOpen', facts)
    return `${round}${stop}${many}`
  }
  if (phase === 'over') return say('over')
  if (next?.can_start) {
    const left = next.number < next.of && next.least > 1 ? next.here % next.least : 0
    return say(left ? 'opensOdd' : 'opens', { n: next.number, here: next.here, left })
  }
  if (next) return say('needs', { n: next.number, least: next.least, here: next.here })
  return say(phase === 'between' && played?.led ? 'betweenAll' : 'byItself')
}

// --- what came of it

/** The measure's noun and how its numbers are written, by the game's words. */
export interface Measure {
  noun: string
  format: string
}

export function measureOf(words: GameWords, metric: string): Measure {
  const about = words.metrics?.[metric]
  return { noun: words.headline ?? about?.label ?? metric, format: about?.format ?? '' }
}

/** How it moved over the match: fell, rose, or as it was; with the two values as they are written. */
export function moved(values: readonly (number | null)[], { format }: Measure): { how: 'fell' | 'rose' | 'stayed' | 'was'; from: string; to: string } | null {
  const known = values.filter((value) => value !== null)
  const first = known[0]
  const last = known.at(-1)
  if (first === undefined || last === undefined) return null
  const from = formatted(first, format)
  const to = formatted(last, format)
  return { how: known.length === 1 ? 'was' : from === to ? 'stayed' : last < first ? 'fell' : 'rose', from, to }
}

/** "cooperation fell from 77% to 31%", its values apart so that they can be set strong. */
export function foundParts(finding: Finding, measure: Measure, lang: Lang): { text: string; isValue: boolean }[] {
  const told = moved(finding.values, measure)
  const say = sayIn(lang)
  if (!told) return [{ text: finding.own < finding.moves ? say('ownMoves', { own: finding.own, moves: finding.moves }) : say('overIt'), isValue: false }]
  // No value is written with these characters: they mark where it stands.
  const marked = say(told.how, { what: measure.noun, from: `\u0001${told.from}\u0001`, to: `\u0001${told.to}\u0001` })
  return marked.split('\u0001').map((text, i) => ({ text, isValue: i % 2 === 1 })).filter(({ text }) => text)
}

/** Points as they stand in the list: of one match whole as they are, of several to a tenth. */
export function pointed(points: number, matches: number): string {
  return matches > 1 || !Number.isInteger(points) ? formatted(points, '.1f') : number(points)
}

/** The name of who played beside the class. */
export function besideSaid(beside: NonNullable<Finding['beside']>, lang: Lang): string {
  const facts = { n: beside.seats, who: beside.label }
  return classWord(lang, beside.label ? 'beside' : beside.models ? 'besideModels' : 'besidePolicies', facts)
}
