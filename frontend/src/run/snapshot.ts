/** A picture of an element that is no canvas: its markup as an image, with the rules that style it. */
export class Snapshot {
  image: HTMLImageElement | null = null
  readonly #css: string

  constructor(readonly element: HTMLElement) {
    this.#css = [...document.styleSheets].flatMap((sheet) => rulesFor(sheet, element)).join('\n')
  }

  /** Draws it anew, as it stands. */
  async take(): Promise<void> {
    const { width, height } = this.element.getBoundingClientRect()
    // The short form is empty where a font has figures of its own.
    const { fontFamily, fontSize, lineHeight, color, fontVariantNumeric } = getComputedStyle(this.element)
    const root = document.documentElement
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    for (const [name, value] of [['width', width], ['height', height], ['data-theme', root.dataset.theme ?? ''], ['lang', root.lang]]) svg.setAttribute(String(name), String(value))
    const within = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject')
    for (const name of ['width', 'height']) within.setAttribute(name, '100%')
    const style = document.createElement('style')
    style.textContent = this.#css
    const copy = this.element.cloneNode(true) as HTMLElement
    Object.assign(copy.style, { width: `${width}px`, height: `${height}px`, fontFamily, fontSize, lineHeight, color, fontVariantNumeric })
    within.append(style, copy)
    svg.append(within)
    const image = new Image()
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
    await image.decode()
    this.image = image
  }
}

/** The rules of a sheet that style the element or what is in it, tokens among them. */
function rulesFor(sheet: CSSStyleSheet | CSSGroupingRule, element: HTMLElement): string[] {
  return [...sheet.cssRules].flatMap((rule): string[] => {
    if (rule instanceof CSSMediaRule) return matchMedia(rule.conditionText).matches ? rulesFor(rule, element) : []
    if (!(rule instanceof CSSStyleRule)) return []
    const isOf = rule.selectorText.startsWith(':root') || element.matches(rule.selectorText) || element.querySelector(rule.selectorText) !== null
    return isOf ? [rule.cssText] : []
  })
}
