import type { GameCard } from '../types'

/** Worked questions, each a preset with its conditions and hypotheses: taken up in one press, then changed as one likes. */
const WORKED = ['mining/talk-or-silence', 'mining/guards', 'nations/trade', 'nations/deterrence', 'dilemma/noise-ladder', 'economist/audit-sweep', 'economist/laffer', 'adasociety/structures']

export const questionsOf = (games: readonly GameCard[]): { game: GameCard; preset: GameCard['presets'][number]; id: string }[] =>
  WORKED.flatMap((id) => games.flatMap((game) => game.presets.filter(({ name }) => `${game.slug}/${name}` === id).map((preset) => ({ game, preset, id }))))
