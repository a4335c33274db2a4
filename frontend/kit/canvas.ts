/** A canvas that fills its element at device pixels and is drawn again whenever its size or what it shows changes. */
export interface Stage {
  element: HTMLCanvasElement
  /** Draws soon; several calls before the next picture cost one drawing. `motion` ms lets `progress` run from 0 to 1. */
  redraw(motion?: number): void
  /** A pointer's place in CSS pixels of the canvas. */
  place(event: PointerEvent | MouseEvent): { x: number; y: number }
  close(): void
}

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number, progress: number) => void

export function openStage(host: HTMLElement, draw: Draw): Stage {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;touch-action:manipulation'
  host.append(canvas)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser gives no 2D canvas')
  let request = 0
  let until = 0
  let length = 0
  /** Told by the observer: to ask for it while drawing would lay the whole page out anew. */
  let width = host.clientWidth
  let height = host.clientHeight

  const paint = (now: number): void => {
    request = 0
    const ratio = (window.devicePixelRatio || 1) * zoomOf(host)
    if (!width || !height) return
    const w = Math.round(width * ratio)
    const h = Math.round(height * ratio)
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w
      canvas.height = h
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.textRendering = 'geometricPrecision' // as the page's text
    context.clearRect(0, 0, width, height)
    const left = until - now
    draw(context, width, height, left > 0 && length > 0 ? ease(1 - left / length) : 1)
    if (left > 0) request = requestAnimationFrame(paint)
  }
  const redraw = (motion = 0): void => {
    if (motion > 0) {
      length = motion
      until = performance.now() + motion
    }
    if (!request) request = requestAnimationFrame(paint)
  }
  const observer = new ResizeObserver(([entry]) => {
    if (!entry) return
    ;({ width, height } = entry.contentRect)
    redraw()
  })
  observer.observe(host)
  return {
    element: canvas,
    redraw,
    place: (event) => {
      const box = canvas.getBoundingClientRect()
      const zoom = zoomOf(host)
      return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom }
    },
    close: () => {
      observer.disconnect()
      cancelAnimationFrame(request)
      canvas.remove()
    },
  }
}

/** How much larger a page for a hall draws this than it is laid out; browsers without the property draw it coarser. */
function zoomOf(host: HTMLElement): number {
  return host.currentCSSZoom ?? 1
}

function ease(t: number): number {
  return 1 - (1 - t) ** 3
}
