/** Figures and tables as files of their own. */

const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'] as const

/** A drawing with its looks written into it, so that it is the same outside the page; the ground goes behind it. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll('*')
  copy.querySelectorAll('*').forEach((element, i) => {
    const original = originals[i]
    if (!original) return
    const look = getComputedStyle(original)
    for (const name of LOOKS) element.setAttribute(name, look.getPropertyValue(name))
    element.removeAttribute('class')
    element.removeAttribute('style')
  })
  const { width, height } = svg.viewBox.baseVal
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.removeAttribute('class')
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', getComputedStyle(document.documentElement).getPropertyValue('--surface').trim())
  copy.prepend(ground)
  return new XMLSerializer().serializeToString(copy)
}

/** The same as dots, twice as fine as it is shown: for slides and letters that take no drawing. */
export async function dots(svg: SVGSVGElement): Promise<Blob | null> {
  const { width, height } = svg.viewBox.baseVal
  const picture = new Image()
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: 2 * width, height: 2 * height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((made) => canvas.toBlob(made, 'image/png'))
}

export function save(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }))
}

export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
