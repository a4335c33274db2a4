// What no page may do: scroll sideways, cut a text off without a way to read it, write below 11 px (a badge has one
// letter), show a hole where a word belongs, or speak English to who reads Chinese. In a list that wraps into columns the
// lines for which there is no room are left out whole, beside it, and none of them is cut.
(lang) => {
  const found = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth + 1) found.push(`scrolls sideways: ${root.scrollWidth} of ${innerWidth}`)
  const seen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const short = (text) => text.trim().replace(/\s+/g, ' ').slice(0, 60)
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const holes = /\b(undefined|NaN|null|\[object)\b|\{\w+[|}]/
  for (let node; (node = walk.nextNode()); ) {
    const text = node.data.trim(), el = node.parentElement
    if (!text || !el || !seen(el) || el.closest('script, style, noscript, svg, [data-verbatim], pre, code, textarea')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect(), style = getComputedStyle(el)
    if (box.width < 2 || box.height < 2) continue
    if (parseFloat(style.fontSize) < 11 && text.length > 1) found.push(`${style.fontSize}: ${short(text)}`)
    if (holes.test(text)) found.push(`a hole: ${short(text)}`)
    if (lang === 'zh' && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text) && !/\p{Script=Han}/u.test(text)) found.push(`not in Chinese: ${short(text)}`)
    for (let up = el; up && up !== document.body; up = up.parentElement) {
      const css = getComputedStyle(up)
      if (css.position === 'fixed') break
      const room = up.getBoundingClientRect()
      if (room.width < 2 || room.height < 2) break
      if (css.flexFlow === 'column wrap' && box.left > room.right - 1) break
      const told = up.title || el.title || up.closest('[title]')
      const isCut = /hidden|clip/.test(css.overflowX) && (box.right > room.right + 1.5 || box.left < room.left - 1.5)
      if (isCut && !told) { found.push(`cut off: ${short(text)}`); break }
      if (/auto|scroll/.test(css.overflowX)) break
    }
  }
  return [...new Set(found)]
}
