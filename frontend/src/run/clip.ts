import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import { Snapshot } from './snapshot'

/** How long each step is shown, in ms. */
const STEP_MS = 900
/** Until what moves on a board has come to rest. */
const REST_MS = 450
const HEAD = 64
const PAD = 16

/** An element of the page, and the picture that stands for it. */
interface Picture {
  element: Element
  source: HTMLCanvasElement | HTMLImageElement
}

export interface Scene {
  /** Where the board is. */
  host(): HTMLElement | null
  /** Shows a step, and gives its place and sentence when it is there. */
  show(n: number): Promise<{ place: string; sentence: string }>
  colours: { surface: string; text: string; quiet: string; font: string }
  isStopped(): boolean
}

/** What a board is drawn on, as it stands: its canvases, or where it is none a picture of its markup. */
export async function pictures(host: HTMLElement): Promise<Picture[]> {
  const drawn = host.querySelector<HTMLElement>('.face')
  if (!drawn) return [...host.querySelectorAll('canvas')].map((source) => ({ element: source, source }))
  const snapshot = new Snapshot(drawn)
  await snapshot.take()
  return snapshot.image ? [{ element: drawn, source: snapshot.image }] : []
}

/** The steps `from..to` of a board, each with its sentence above it, as a GIF that begins again when it is over. */
export async function animated(scene: Scene, from: number, to: number): Promise<Blob> {
  const film = document.createElement('canvas')
  const pen = film.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  const { surface, text, quiet, font } = scene.colours
  const gif = GIFEncoder()
  for (let n = from; n <= to && !scene.isStopped(); n++) {
    const { place, sentence } = await scene.show(n)
    await new Promise((done) => setTimeout(done, REST_MS))
    const host = scene.host()
    if (!host) break
    const shown = await pictures(host)
    const boxes = shown.map(({ element }) => element.getBoundingClientRect())
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
    if (n === from) {
      film.width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left + 2 * PAD)
      film.height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top + HEAD + PAD)
    }
    pen.fillStyle = surface
    pen.fillRect(0, 0, film.width, film.height)
    pen.fillStyle = quiet
    pen.font = `13px ${font}`
    pen.fillText(place, PAD, 24)
    pen.fillStyle = text
    pen.font = `600 16px ${font}`
    pen.fillText(sentence, PAD, 46, film.width - 2 * PAD)
    shown.forEach(({ source }, i) => {
      const box = boxes[i] as DOMRect
      if (source.width && source.height) pen.drawImage(source, box.left - left + PAD, box.top - top + HEAD, box.width, box.height)
    })
    const { data } = pen.getImageData(0, 0, film.width, film.height)
    const palette = quantize(data, 256)
    gif.writeFrame(applyPalette(data, palette), film.width, film.height, { palette, delay: STEP_MS })
  }
  gif.finish()
  return new Blob([gif.bytes()], { type: 'image/gif' })
}
