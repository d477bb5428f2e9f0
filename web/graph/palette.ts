import type { Grouping } from '../../src/record/domain/graph/grouping.ts'

/** The colours of the theme, for a canvas, which does not use style sheets. */
export interface Palette {
  readonly paper: string
  readonly raised: string
  readonly ink: string
  readonly soft: string
  readonly faint: string
  readonly edge: string
  readonly accent: string
  group(group: number): string
}

export function readPalette(root: Element, grouping: Grouping): Palette {
  const style = getComputedStyle(root)
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const colours = grouping.names.map((_, group) => groupColour(grouping, group, value('scheme') === 'dark'))
  return {
    paper: value('paper'),
    raised: value('raised'),
    ink: value('ink'),
    soft: value('soft'),
    faint: value('faint'),
    edge: value('edge'),
    accent: value('accent'),
    group: (group) => colours[group] ?? value('faint'),
  }
}

const GOLDEN_ANGLE = 137.5

/**
 * Colour of a group. All have the same lightness and chroma, so that no group is more prominent. Neighbours differ
 * most; dates run from cold to warm hues.
 */
export function groupColour({ by, names, rest }: Grouping, group: number, isDark: boolean): string {
  if (group === rest) return isDark ? 'oklch(0.68 0.01 90)' : 'oklch(0.58 0.01 90)'
  const hue = by === 'date' ? 250 - (230 * group) / Math.max(1, names.length - 1) : 190 + GOLDEN_ANGLE * group
  return `oklch(${isDark ? '0.76 0.1' : '0.55 0.105'} ${(((hue % 360) + 360) % 360).toFixed(1)})`
}
