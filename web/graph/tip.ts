import { html } from './elements.ts'
import type { Kit } from './kit.ts'

/** The full title of the decision under the pointer or focus. */
export interface Tip {
  readonly elements: readonly HTMLElement[]
  /** Shows the title beside a point of the stage. */
  show(place: number, x: number, y: number): void
  hide(): void
  /** Announces a decision, for keyboard users. */
  say(place: number): void
}

export function createTip(kit: Kit, stage: HTMLElement): Tip {
  const tip = html('div', { class: 'tip', role: 'tooltip', hidden: '' })
  const voice = html('p', { class: 'unseen', role: 'status' })
  const factsOf = (place: number): string => {
    const { label, date, status } = kit.decisions[place]!
    const { names, of } = kit.grouping()
    return `${label} · ${date} · ${status} · ${names[of[place]!]}`
  }
  return {
    elements: [tip, voice],
    show(place, x, y) {
      tip.replaceChildren(html('b', {}, kit.decisions[place]!.title), html('span', {}, factsOf(place)))
      tip.hidden = false
      const { width, height } = tip.getBoundingClientRect()
      const room = stage.getBoundingClientRect()
      const left = Math.max(8, Math.min(x + 14, room.width - width - 8))
      const top = y + 20 + height > room.height ? Math.max(4, y - height - 14) : y + 20
      tip.style.setProperty('transform', `translate(${left}px, ${top}px)`)
    },
    hide: () => void (tip.hidden = true),
    say: (place) => void (voice.textContent = `${kit.decisions[place]!.title}. ${factsOf(place)}`),
  }
}
