const CHARS_PER_TOKEN = 4
const tokens = (count: number): number => count * CHARS_PER_TOKEN

/**
 * How much an answer may hold, in characters. Claude Code warns at 10,000 tokens of a tool's answer and cuts at 25,000;
 * what is left out is counted and can be had by another call.
 */
export const BUDGET = {
  L0: tokens(4_000),
  L1: tokens(10_000),
  L2: tokens(20_000),
  /** Rows of a list, as JSON. */
  list: tokens(8_000),
  diff: tokens(8_000),
  file: tokens(10_000),
  /** Up to here an answer that is one text is sent both as text and as data. */
  twice: tokens(2_000),
  /** Files that a client is offered as resources, by count. */
  resources: 200,
} as const

/** As many of the items, from the front, as fit; at least one, so that a caller gets on. */
export function fitting<T>(items: readonly T[], budget: number, sizeOf: (item: T) => number): T[] {
  let size = 0
  const end = items.findIndex((item, i) => (size += sizeOf(item)) > budget && i > 0)
  return end < 0 ? [...items] : items.slice(0, end)
}

/** The beginning of a text, cut at the end of a line where there is one, and how many characters are left out. */
export function beginning(text: string, budget: number): { readonly text: string; readonly left: number } {
  if (text.length <= budget) return { text, left: 0 }
  const cut = text.slice(0, budget).replace(/[\ud800-\udbff]$/, '')
  const line = cut.lastIndexOf('\n')
  const shown = line > budget / 2 ? cut.slice(0, line) : cut
  return { text: shown, left: text.length - shown.length }
}

/** The same for a text whose end is the newest. */
export function ending(text: string, budget: number): { readonly text: string; readonly left: number } {
  if (text.length <= budget) return { text, left: 0 }
  const cut = text.slice(-budget).replace(/^[\udc00-\udfff]/, '')
  const line = cut.indexOf('\n')
  const shown = line >= 0 && line < budget / 2 ? cut.slice(line + 1) : cut
  return { text: shown, left: text.length - shown.length }
}

export const count = (amount: number): string => amount.toLocaleString('en')
