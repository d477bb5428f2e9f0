import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'
import type { Surface } from './surface.ts'

export interface Labelled {
  readonly place: number
  readonly x: number
  readonly y: number
  readonly r: number
}

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** Names decisions beside their dots wherever there is room, the most linked ones first; closer zoom makes room for more. */
export function createLabels(kit: Kit, surface: Surface, points: readonly Labelled[]): { update(): void } {
  const MOST = 70
  const layer = kit.svg('g', { class: 'labels' })
  const pool: PageElement[] = []
  const weights = kit.relations.map((r, place) => r.replaces.length + r.replacedBy.length + r.cites.length + r.citedBy.length + (kit.decisions[place]!.status === 'active' ? 0.5 : 0))
  const ranked = [...points].sort((a, b) => weights[b.place]! - weights[a.place]! || b.place - a.place)
  const isWide = (character: string) => character.charCodeAt(0) >= 0x2e80
  surface.overlay.append(layer)

  function nameOf(place: number): string {
    const { label, title } = kit.decisions[place]!
    const characters = [...title]
    return label + '  ' + (characters.length > 34 ? characters.slice(0, 33).join('').trimEnd() + '…' : title)
  }

  function update(): void {
    const { scale, x, y, width, height } = surface.view
    const taken: { left: number; right: number; top: number; bottom: number }[] = []
    let shown = 0
    // Far out, dots are closer to each other than a name is high; only a few names can stand there without hiding them.
    const most = Math.min(MOST, Math.round(6 + 46 * scale * scale))
    for (const point of ranked) {
      if (shown >= most) break
      if (!kit.isShown(point.place)) continue
      const left = point.x * scale + x + point.r * scale + 5
      const middle = point.y * scale + y
      if (left < 0 || left > width || middle < 0 || middle > height) continue
      const name = nameOf(point.place)
      const box = { left, right: left + [...name].reduce((sum, character) => sum + (isWide(character) ? 12 : 6.4), 0), top: middle - 9, bottom: middle + 9 }
      if (taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)) continue
      taken.push(box)
      const text = (pool[shown] ??= kit.svg('text', {}))
      text.textContent = name
      text.setAttribute('x', left.toFixed(1))
      text.setAttribute('y', (middle + 4).toFixed(1))
      shown++
    }
    layer.replaceChildren(...pool.slice(0, shown))
  }

  surface.onMove(update)
  return { update }
}
