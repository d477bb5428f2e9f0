import { rememberRecent } from '../../../kernel/domain/recent-values.ts'
import { sentencesOf } from '../../../kernel/domain/text/sentences.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'

/** A brief line before any question: a turn, a list item, a few sentences of a paragraph. */
export interface Passage {
  readonly text: string
  /** 1-based lines of its text, both included. */
  readonly from: number
  readonly to: number
  /** The nearest heading above it; empty if there is none. */
  readonly heading: string
  /** The speaker, if the passage is a turn of a session. */
  readonly by?: 'user' | 'assistant'
}

/** A turn up to this length stays whole; a longer one, and every paragraph, is split into groups of a few sentences. */
const WHOLE_TURN = 600
const LONGEST = 300
/** Cuts text without sentences, or a sentence that never ends. */
const HARD_CUT = 600

const known = rememberRecent<readonly Passage[]>(256)

/** Returns the same array for the same text, so that derived data can be cached by it. */
export function passagesOf(text: string, kind: 'session' | 'document'): readonly Passage[] {
  const key = `${kind}\n${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const passages = kind === 'session' ? turnsOf(text) : paragraphsOf(text.split('\n'), 0)
  known.set(key, passages)
  return passages
}

// Session files escape every other line that looks like one of these.
const TURN = /^## (User|Assistant|Compaction summary)$/

function turnsOf(text: string): Passage[] {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, at) => (TURN.test(line) ? [at] : []))
  return starts.flatMap((start, turn) => {
    const by = lines[start] === '## User' ? 'user' : 'assistant'
    let first = start + 1
    while (lines[first]?.startsWith('> ')) first++
    const own = lines.slice(first, starts[turn + 1] ?? lines.length)
    const whole = oneLine(own.join(' '))
    const from =
      first +
      1 +
      Math.max(
        0,
        own.findIndex((line) => line.trim() !== ''),
      )
    if (whole.length <= WHOLE_TURN && !own.some(isFence))
      return whole === '' ? [] : [{ text: whole, from, to: from + lastLine(own) - firstLine(own), heading: '', by }]
    return paragraphsOf(own, first).map((passage) => ({ ...passage, by }))
  })
}

const firstLine = (lines: readonly string[]): number =>
  Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ''),
  )
const lastLine = (lines: readonly string[]): number =>
  Math.max(
    0,
    lines.findLastIndex((line) => line.trim() !== ''),
  )
const isFence = (line: string): boolean => /^\s{0,3}(?:```|~~~)/.test(line)

/** Paragraphs and list items, without headings, frontmatter and fenced code, which is read in place. */
function paragraphsOf(lines: readonly string[], offset: number): Passage[] {
  const passages: Passage[] = []
  let block: string[] = []
  let begun = 0
  let isCode = false
  let heading = ''
  let whole = ''
  const end = (): void => {
    passages.push(...cut(block, offset + begun, heading))
    block = []
  }
  for (let at = bodyOf(lines, offset); at < lines.length; at++) {
    const line = lines[at]!
    if (isFence(line)) {
      end()
      isCode = !isCode
      continue
    }
    if (isCode) continue
    const title = /^#{1,6} (.*)$/.exec(line)?.[1]
    const part = title === undefined ? PART.exec(line)?.[1] : PART.exec(title)?.[1]
    if (line.trim() === '' || title !== undefined || part !== undefined || NOTHING_SAID.test(line.trim())) {
      end()
      if (part !== undefined) heading = whole === '' ? oneLine(part) : `${whole}, ${oneLine(part)}`
      else if (title !== undefined) heading = whole = oneLine(title)
      continue
    }
    if (block.length > 0 && /^\s*(?:[-*+]|\d+[.)]|\|) ?/.test(line)) end()
    if (block.length === 0) begun = at
    block.push(line)
  }
  end()
  return passages
}

function bodyOf(lines: readonly string[], offset: number): number {
  return offset === 0 && lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
}

/** Meaningless without the heading above it, as a heading or as a separate line: "Pros", "**Drawbacks:**". */
const PART =
  /^\s*\**((?:pros|cons|pros and cons|advantages?|disadvantages?|benefits?|drawbacks?|downsides?|upsides?|positives?|negatives?|neutral|good|bad|risks?|description|details?|summary|implementation|examples?|notes?))\s*:?\**:?\s*$/i

/** A comment, a rule, the line below a table header. */
const NOTHING_SAID = /^(?:<!--|[\s:|*_-]+$)/

/** The whole block, or groups of a few sentences if it is long. */
function cut(block: readonly string[], from: number, heading: string): Passage[] {
  const to = from + block.length
  const text = oneLine(block.join(' ')).replace(/^(?:[-*+]|\d{1,4}[.)]) /, '')
  if (text === '') return []
  if (text.length <= LONGEST) return [{ text, from: from + 1, to, heading }]
  const pieces: string[] = []
  for (const sentence of sentencesOf(text).flatMap(hardCut)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + sentence.length < LONGEST) pieces[pieces.length - 1] = `${last} ${sentence}`
    else pieces.push(sentence)
  }
  return pieces.map((piece) => ({ text: piece, from: from + 1, to, heading }))
}

function hardCut(sentence: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < sentence.length; at += HARD_CUT) pieces.push(sentence.slice(at, at + HARD_CUT))
  return pieces
}

const oneLine = (text: string): string => visibleLine(text)
