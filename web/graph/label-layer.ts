import { html } from './elements.ts'
import type { Box } from './occupied.ts'

export interface Label {
  readonly lines: readonly string[]
  readonly box: Box
  /** CSS class. */
  readonly look: string
  /** Place of the decision that the label names. */
  readonly place?: number
  readonly colour?: string
}

/** Names over a drawing, as elements: crisp at every zoom, in the colours of the theme, and accessible. */
export interface LabelLayer {
  readonly element: HTMLElement
  show(labels: readonly Label[]): void
  /** Moves all names at once, until they are placed again. */
  shift(dx: number, dy: number): void
  /** Place of the decision named by the label at a point. */
  at(x: number, y: number): number | undefined
}

export function createLabelLayer(name: string): LabelLayer {
  const element = html('div', { class: `labels ${name}`, 'aria-hidden': 'true' })
  const pool: HTMLElement[] = []
  let shown: readonly Label[] = []
  let used = 0
  let shifted = { x: 0, y: 0 }

  function set(span: HTMLElement, { lines, box, look, place, colour }: Label): void {
    const text = lines.join('\n')
    if (span.textContent !== text) span.textContent = text
    if (span.className !== look) span.className = look
    span.style.setProperty('transform', `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`)
    span.style.setProperty('width', `${(box.right - box.left).toFixed(1)}px`)
    span.style.setProperty('height', `${(box.bottom - box.top).toFixed(1)}px`)
    if (colour === undefined) span.style.removeProperty('--c')
    else span.style.setProperty('--c', colour)
    if (place === undefined) delete span.dataset['place']
    else span.dataset['place'] = String(place)
    span.hidden = false
  }

  function shift(x: number, y: number): void {
    if (shifted.x === x && shifted.y === y) return
    shifted = { x, y }
    element.style.setProperty('transform', `translate(${x}px, ${y}px)`)
  }

  return {
    element,
    shift,
    show(labels) {
      shift(0, 0)
      while (pool.length < labels.length) {
        const span = html('span', {})
        pool.push(span)
        element.append(span)
      }
      labels.forEach((label, i) => set(pool[i]!, label))
      for (const span of pool.slice(labels.length, Math.max(used, labels.length))) {
        span.hidden = true
        delete span.dataset['place']
      }
      used = labels.length
      shown = labels
    },
    at(x, y) {
      const [left, top] = [x - shifted.x, y - shifted.y]
      return shown.find(
        ({ box, place }) =>
          place !== undefined && left >= box.left && left <= box.right && top >= box.top && top <= box.bottom,
      )?.place
    },
  }
}
