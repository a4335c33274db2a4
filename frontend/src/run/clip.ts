/** How long each step is shown, in ms: as long as a change moves, and as long again. */
const STEP_MS = 700
const HEAD = 64
const PAD = 16
/** Kinds of moving picture, the one that most programs open first. */
const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'] as const

/** The kind of clip that this browser can make; null where it can make none. */
export function clipKind(): string | null {
  if (typeof MediaRecorder === 'undefined' || !('captureStream' in HTMLCanvasElement.prototype)) return null
  return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null
}

/** An element of the page, and the picture that stands for it; null until there is one. */
export interface Picture {
  element: Element
  source: HTMLCanvasElement | HTMLImageElement | null
}

export interface Scene {
  /** Shows a step, and gives its place and sentence when it is there. */
  show(n: number): Promise<{ place: string; sentence: string }>
  /** What the board is drawn on, each with where it is drawn from; asked for with each picture. */
  pictures(): readonly Picture[]
  colours: { surface: string; text: string; quiet: string; font: string }
  isStopped(): boolean
}

/** Records the steps `from..to` of a board with the sentence of each above it. */
export async function recorded(scene: Scene, from: number, to: number, kind: string): Promise<Blob> {
  const boxes = scene.pictures().map(({ element }) => element.getBoundingClientRect())
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))]
  const film = document.createElement('canvas')
  // Encoders want even sizes.
  film.width = 2 * Math.ceil((right - left + 2 * PAD) / 2)
  film.height = 2 * Math.ceil((bottom - top + HEAD + PAD) / 2)
  const pen = film.getContext('2d') as CanvasRenderingContext2D
  const { surface, text, quiet, font } = scene.colours
  let told = { place: '', sentence: '' }
  const draw = (): void => {
    pen.fillStyle = surface
    pen.fillRect(0, 0, film.width, film.height)
    pen.fillStyle = quiet
    pen.font = `13px ${font}`
    pen.fillText(told.place, PAD, 24)
    pen.fillStyle = text
    pen.font = `600 16px ${font}`
    pen.fillText(told.sentence, PAD, 46, film.width - 2 * PAD)
    for (const { element, source } of scene.pictures()) {
      const box = element.getBoundingClientRect()
      if (source?.width && source.height) pen.drawImage(source, box.left - left + PAD, box.top - top + HEAD, box.width, box.height)
    }
  }
  const parts: Blob[] = []
  const recorder = new MediaRecorder(film.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4_000_000 })
  recorder.ondataavailable = ({ data }) => void (data.size && parts.push(data))
  const stopped = new Promise<void>((done) => (recorder.onstop = () => done()))
  let isOn = true
  const turn = (): void => {
    draw()
    if (isOn) requestAnimationFrame(turn)
  }
  turn()
  recorder.start()
  for (let n = from; n <= to && !scene.isStopped(); n++) {
    told = await scene.show(n)
    await new Promise((done) => setTimeout(done, STEP_MS))
  }
  isOn = false
  recorder.stop()
  await stopped
  return new Blob(parts, { type: 'video/webm' })
}
