import { readLines, type TextLines } from '../../../kernel/domain/text/text-lines.ts'
import type { Definition } from './code-outline.ts'
import { linesPlan, type Chunk, CHUNK_CAP, headingPath, type LineRange } from './cut-chunks.ts'
import { packChunks, type Segment } from './pack-chunks.ts'

const SMALL = 1_200

/**
 * Splits a source file along its definitions, with the comments above them. Small neighbours are merged, a class that
 * is too long is cut between its members, and only a function that is too long is cut inside.
 */
export function chunkCode(text: string, definitions: readonly Definition[]): Chunk[] {
  const lines = readLines(text)
  const segments = segmentsOf(lines, definitions, { from: 0, to: lines.count, name: '' })
  return packChunks(lines, segments, { small: SMALL, planOf: (segment) => linesPlan(lines, segment.name) })
}

function segmentsOf(lines: TextLines, definitions: readonly Definition[], whole: Segment): Segment[] {
  const segments: Segment[] = []
  let at = whole.from
  for (const { range, definition, inner } of outermost(lines, definitions, whole)) {
    if (range.from > at) segments.push({ from: at, to: range.from, name: whole.name })
    const segment = { ...range, name: headingPath([...definition.within, definition.name]) }
    const isLong = lines.start(range.to) - lines.start(range.from) > CHUNK_CAP
    segments.push(...(isLong && inner.length > 0 ? segmentsOf(lines, inner, segment) : [segment]))
    at = range.to
  }
  if (at < whole.to) segments.push({ from: at, to: whole.to, name: whole.name })
  return segments
}

interface Placed {
  readonly definition: Definition
  /** From the first comment above the definition to the last blank line below it. */
  readonly range: LineRange
  readonly inner: readonly Definition[]
}

/** The outermost definitions; if two are on one line, the first. */
function outermost(lines: TextLines, definitions: readonly Definition[], whole: LineRange): Placed[] {
  const placed: Placed[] = []
  const sorted = definitions.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine)
  let free = whole.from
  for (let i = 0; i < sorted.length;) {
    const definition = sorted[i]!
    const from = definition.startLine - 1
    const end = Math.min(definition.endLine, whole.to)
    let next = i + 1
    while (next < sorted.length && sorted[next]!.startLine <= definition.endLine) next++
    if (from >= free && end > from) {
      const range = { from: withComments(lines, from, free), to: withBlanks(lines, end, whole.to) }
      placed.push({
        definition,
        range,
        inner: sorted.slice(i + 1, next).filter(({ startLine }) => startLine > definition.startLine),
      })
      free = range.to
    }
    i = next
  }
  return placed
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|@|\[|--)/

function withComments(lines: TextLines, line: number, free: number): number {
  let first = line
  while (first > free && COMMENT.test(lines.line(first - 1))) first--
  return first
}

function withBlanks(lines: TextLines, line: number, limit: number): number {
  let end = line
  while (end < limit && lines.line(end).trim() === '') end++
  return end
}
