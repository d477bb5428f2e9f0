/** A mention of a decision (`D012`) or a question (`Q3`) in a text, as UTF-16 offsets. */
export interface Reference {
  readonly kind: 'decision' | 'question'
  readonly num: number
  readonly start: number
  readonly end: number
}

// A longer text is data; references in it are not written by a person.
const LONGEST = 1024 * 1024
const MOST = 2_000
// On a longer line, comment marks farther before an id are ignored.
const LONGEST_LINE = 2_000
const REFERENCE = /(?<![\w#&.@/-])([DQ])0*([1-9]\d{0,5})(?![\w-]|\.\d)/g

/** The references in Markdown, or in the comments of code; `D4` in code is a name like any other. */
export function referencesIn(text: string, language: string): Reference[] {
  if (text.length > LONGEST) return []
  const found: Reference[] = []
  const isProse = PROSE.has(language)
  for (const { 0: whole, 1: letter, 2: digits, index } of text.matchAll(REFERENCE)) {
    if (found.length >= MOST) break
    if (!isProse && !isInComment(text, index)) continue
    found.push({
      kind: letter === 'D' ? 'decision' : 'question',
      num: Number(digits),
      start: index,
      end: index + whole.length,
    })
  }
  return found
}

export const PROSE: ReadonlySet<string> = new Set([
  'markdown',
  'mdx',
  'plaintext',
  'restructuredtext',
  'asciidoc',
  'git-commit',
  'gitcommit',
])

/** Whether an offset follows a comment mark on its line, or its line continues a block comment. */
export function isInComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - LONGEST_LINE), at)
  return /(?:^|\s)(?:\/\/|\/\*|#|--|;|<!--|%)|^\s*\*|"""|'''/.test(before)
}
