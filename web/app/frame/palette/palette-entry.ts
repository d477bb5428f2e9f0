import type { IconName } from '../../kit/icon.tsx'

export interface PaletteEntry {
  readonly id: string
  /** Label at the end of the line: `Page`, `Decision`; missing if the title says it. */
  readonly kind?: string
  readonly title: string
  /** Exact names: `D012`. */
  readonly names?: readonly string[]
  /** Other search terms. */
  readonly also?: string
  readonly aside?: string
  readonly keys?: string
  readonly icon: IconName
  /** Score of an operation's hit, from 0 to 1; entries without it must contain the words. */
  readonly found?: number
  readonly run: () => void
}
