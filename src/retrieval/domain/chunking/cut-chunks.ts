import { type TextLines, readLines } from '../../../kernel/domain/text/text-lines.ts'

/** A part of a document that is searched and returned separately. */
export interface Chunk {
  /** 1-based, inclusive. A line longer than a chunk may be spread over several. */
  readonly startLine: number
  readonly endLine: number
  /** `document.slice(start, end)` is the text; a chunk may begin before its predecessor ends. */
  readonly start: number
  readonly end: number
  readonly text: string
  /**
   * Its context: the headings above it, the question it answers, or the symbols it defines; empty if there are none.
   */
  readonly heading: string
  /** True if the assistant wrote all of it. */
  readonly isReply?: boolean
}

/** About 900 tokens of English. */
const CHUNK_TARGET = 3_600
/** No chunk is longer, whatever the document contains. */
export const CHUNK_CAP = 4_400
/** Characters repeated from the previous chunk if the cut is inside a section: 15 % of the target. */
export const CHUNK_OVERLAP = 540

export const headingPath = (names: readonly string[]): string => names.join(' › ')

/** Cut points of one kind of document by line (0-based), so that cuts are where a reader would make them. */
export interface BreakPlan {
  /**
   * How suitable the line is as the beginning of a chunk: 0 inside a block that must stay together, up to 100 at a main
   * heading.
   */
  score(line: number): number
  /** True if the line starts something new, so nothing before it is repeated. */
  opens(line: number): boolean
  heading(line: number): string
}

export interface LineRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * Splits a range of lines into chunks of about the target size. Together they cover every character, and none exceeds
 * the cap.
 */
export function cutChunks(lines: TextLines, plan: BreakPlan, range: LineRange = { from: 0, to: lines.count }): Chunk[] {
  const chunks: Chunk[] = []
  const end = lines.start(range.to)
  let start = lines.start(range.from)
  let fresh = start
  while (fresh < end) {
    const cut = end - start <= CHUNK_CAP ? end : bestCut(lines, plan, { start, fresh })
    chunks.push(makeChunk(lines, { start, end: cut, heading: plan.heading(lines.at(fresh)) }))
    const again = repeatFrom(lines, plan, cut)
    start = again > start ? again : cut
    fresh = cut
  }
  return chunks
}

export function makeChunk(lines: TextLines, part: { start: number; end: number; heading: string }): Chunk {
  return {
    startLine: lines.at(part.start) + 1,
    endLine: lines.at(part.end - 1) + 1,
    ...part,
    text: lines.text.slice(part.start, part.end),
  }
}

/** Maximum distance of a cut from the target. */
const WINDOW = 1_600

/** `start` is the beginning of the chunk, `fresh` the end of its overlap with the one before. */
interface Opening {
  readonly start: number
  readonly fresh: number
}

function bestCut(lines: TextLines, plan: BreakPlan, { start, fresh }: Opening): number {
  const target = start + CHUNK_TARGET
  let best = -1
  let bestScore = 0
  let nearest = -1
  let lastGood = -1
  for (let line = lines.at(fresh) + 1; line < lines.count; line++) {
    const offset = lines.start(line)
    if (offset > start + CHUNK_CAP) break
    const score = plan.score(line)
    if (offset < target - WINDOW) {
      if (score > 0) lastGood = line
      continue
    }
    if (nearest === -1 || Math.abs(offset - target) < Math.abs(nearest - target)) nearest = offset
    const worth = score * (1 - 0.7 * ((offset - target) / WINDOW) ** 2)
    if (worth > bestScore) [best, bestScore] = [offset, worth]
  }
  if (best !== -1) return best
  if (lastGood !== -1 && blockFits(lines, plan, lastGood)) return lines.start(lastGood)
  return nearest === -1 ? cutInside(lines.text, target) : nearest
}

/** Whether the block that begins at a line is short enough to be a chunk, so that cutting before it keeps it whole. */
function blockFits(lines: TextLines, plan: BreakPlan, first: number): boolean {
  const limit = lines.start(first) + CHUNK_CAP
  for (let line = first + 1; line < lines.count; line++) {
    if (plan.score(line) > 0) return lines.start(line) <= limit
    if (lines.start(line) > limit) return false
  }
  return lines.text.length <= limit
}

function repeatFrom(lines: TextLines, plan: BreakPlan, cut: number): number {
  const line = lines.at(cut)
  const isLineStart = lines.start(line) === cut
  if (isLineStart && plan.opens(line)) return cut
  const earliest = cut - CHUNK_OVERLAP
  let from = cut
  for (let above = isLineStart ? line - 1 : line; above >= 0 && lines.start(above) >= earliest; above--)
    from = lines.start(above)
  return from < cut || isLineStart ? from : cutInside(lines.text, earliest)
}

/**
 * A position near an offset inside a long line: after a space if one is close, and never inside a character or a line
 * break.
 */
function cutInside(text: string, offset: number): number {
  for (let at = offset; at > offset - 200 && at > 0; at--)
    if (/\s/.test(text.charAt(at - 1)) && !isInsideBreak(text, at)) return at
  const isSplit = isInsideBreak(text, offset) || (text.codePointAt(offset - 1) ?? 0) > 0xffff
  return isSplit ? offset + 1 : offset
}

const isInsideBreak = (text: string, at: number) => text[at - 1] === '\r' && text[at] === '\n'

/** Chunks of a text with unknown syntax: cuts after blank lines, before lines that are not indented. */
export function chunkLines(text: string): Chunk[] {
  const lines = readLines(text)
  return cutChunks(lines, linesPlan(lines))
}

export function linesPlan(lines: TextLines, heading = ''): BreakPlan {
  return { score: (line) => lineScore(lines, line), opens: () => false, heading: () => heading }
}

function lineScore(lines: TextLines, line: number): number {
  if (isBlank(lines, line)) return 1
  const indented = /^\s/.test(lines.text.charAt(lines.start(line)))
  if (line === 0 || !isBlank(lines, line - 1)) return indented ? 2 : 8
  if (indented) return 20
  return line > 1 && isBlank(lines, line - 2) ? 90 : 60
}

const isBlank = (lines: TextLines, line: number): boolean => lines.line(line).trim() === ''
