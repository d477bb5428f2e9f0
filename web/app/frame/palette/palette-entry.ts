import type { IconName } from '../../kit/icon.tsx'

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string
  /** What it is, said at its end: `Page`, `Decision`. */
  readonly kind: string
  readonly title: string
  /** Names that mean exactly this one: `D12`. */
  readonly names?: readonly string[]
  /** Other words that it may be found by. */
  readonly also?: string
  readonly aside?: string
  readonly keys?: string
  readonly icon: IconName
  /** It was found by an operation, which says how well from 0 to 1; what the page knows itself must hold the words. */
  readonly found?: number
  readonly run: () => void
}
