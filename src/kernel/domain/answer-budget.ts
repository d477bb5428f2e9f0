const CHARS_PER_TOKEN = 4
const tokens = (count: number): number => count * CHARS_PER_TOKEN

/**
 * Maximum size of an answer in characters. Claude Code warns at 10,000 tokens of a tool's answer and cuts at 25,000;
 * omitted content is counted and available by another call.
 */
export const BUDGET = {
  L0: tokens(4_000),
  L1: tokens(10_000),
  L2: tokens(20_000),
  /** Rows of a list, as JSON. */
  list: tokens(8_000),
  diff: tokens(8_000),
  file: tokens(10_000),
  /** Maximum size of a text that is sent both as text and as data. */
  twice: tokens(2_000),
  /** Number of files offered to a client as resources. */
  resources: 200,
} as const

/** Leading items that fit; at least one, so that a caller makes progress. */
export function fitting<T>(items: readonly T[], budget: number, sizeOf: (item: T) => number): T[] {
  let size = 0
  const end = items.findIndex((item, i) => (size += sizeOf(item)) > budget && i > 0)
  return end < 0 ? [...items] : items.slice(0, end)
}

/** Beginning of a text, cut at a line end if there is one, and the number of characters left out. */
export function beginning(text: string, budget: number): { readonly text: string; readonly left: number } {
  if (text.length <= budget) return { text, left: 0 }
  const cut = text.slice(0, budget).replace(/[\ud800-\udbff]$/, '')
  const line = cut.lastIndexOf('\n')
  const shown = line > budget / 2 ? cut.slice(0, line) : cut
  return { text: shown, left: text.length - shown.length }
}

/** Like `beginning`, but keeps the end, for a text with the newest content last. */
export function ending(text: string, budget: number): { readonly text: string; readonly left: number } {
  if (text.length <= budget) return { text, left: 0 }
  const cut = text.slice(-budget).replace(/^[\udc00-\udfff]/, '')
  const line = cut.indexOf('\n')
  const shown = line >= 0 && line < budget / 2 ? cut.slice(line + 1) : cut
  return { text: shown, left: text.length - shown.length }
}

export const count = (amount: number): string => amount.toLocaleString('en')
