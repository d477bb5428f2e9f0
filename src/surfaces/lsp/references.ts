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
const REFERENCE = /(?<![\w#&.@/-])([DQ])0*([1-9]\d{0,5})(?![\w-]|\.\d)/g

/** The references in Markdown, or in the comments of code; `D4` in code is a name like any other. */
export function referencesIn(text: string, language: string): Reference[] {
  if (text.length > LONGEST) return []
  const found: Reference[] = []
  const isProse = PROSE.has(language)
  let line: Line = { end: -1, comment: Infinity }
  for (const { 0: whole, 1: letter, 2: digits, index } of text.matchAll(REFERENCE)) {
    if (found.length >= MOST) break
    // Once per line: a line of a megabyte may hold hundreds of thousands of ids.
    if (!isProse && index > line.end) line = lineAround(text, index)
    if (!isProse && index < line.comment) continue
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
export const isInComment = (text: string, at: number): boolean => lineAround(text, at).comment <= at

interface Line {
  readonly end: number
  /** Offset at which the text of its first comment begins; beyond the line if there is none. */
  readonly comment: number
}

const COMMENT = /(?:^|\s)(?:\/\/|\/\*|#|--|;|<!--|%)|^\s*\*|"""|'''/

function lineAround(text: string, at: number): Line {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const next = text.indexOf('\n', at)
  const end = next < 0 ? text.length : next
  const found = COMMENT.exec(text.slice(start, end))
  return { end, comment: found === null ? Infinity : start + found.index + found[0].length }
}
