/** A game's words, read by `words.ts` when the pages are built. */
declare module '*/words/en.yaml' {
  const words: import('./gamewords').GameWords
  export default words
}
declare module '*/words/zh.yaml' {
  const words: import('./gamewords').GameWords
  export default words
}
