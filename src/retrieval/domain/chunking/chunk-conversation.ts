import { head } from '../../../kernel/domain/text.ts'
import { readLines, type TextLines } from '../../../kernel/domain/text/text-lines.ts'
import { markdownPlan } from './chunk-markdown.ts'
import { type Chunk, headingPath } from './cut-chunks.ts'
import { packChunks, type Segment } from './pack-chunks.ts'

// Turns of a few lines are found best two or three at a time: best of 400, 600, 800 and 1,200 on LoCoMo.
const SMALL = 600

/**
 * Splits a session file: a question stays with its answer, short exchanges are merged, and a part of a long answer is
 * headed by the question. A file without turns is split as plain Markdown.
 */
export function chunkConversation(text: string): Chunk[] {
  const lines = readLines(text)
  const title = titleOf(lines)
  const isReply = replyFinder(lines)
  const planOf = (segment: Segment) => ({ ...markdownPlan(lines, segment), heading: () => segment.name })
  return packChunks(lines, exchanges(lines), { small: SMALL, planOf }).map((chunk) => ({
    ...chunk,
    heading: headingPath([title, chunk.heading].filter((part) => part !== '')),
    isReply: isReply(chunk),
  }))
}

/** Heading of a turn. Session files escape every other line that looks like one, even inside fences. */
export const TURN = /^## (User|Assistant|Compaction summary)$/

function titleOf(lines: TextLines): string {
  for (let line = 0; line < lines.count; line++) {
    const text = lines.line(line)
    if (TURN.test(text)) return ''
    if (text.startsWith('# ')) return text.slice(2).trim()
  }
  return ''
}

function exchanges(lines: TextLines): Segment[] {
  const starts = [0]
  for (let line = 1; line < lines.count; line++) {
    const turn = TURN.exec(lines.line(line))?.[1]
    if (turn === 'User' || turn === 'Compaction summary') starts.push(line)
  }
  return starts.map((from, i) => {
    const to = starts[i + 1] ?? lines.count
    return { from, to, name: question(lines, { from, to }) }
  })
}

/** Returns a test of whether a chunk contains only assistant lines. */
function replyFinder(lines: TextLines): (chunk: Chunk) => boolean {
  const [replied, said] = [new Uint32Array(lines.count + 1), new Uint32Array(lines.count + 1)]
  let speaker: string | undefined
  for (let line = 0; line < lines.count; line++) {
    speaker = TURN.exec(lines.line(line))?.[1] ?? speaker
    replied[line + 1] = replied[line]! + Number(speaker === 'Assistant')
    said[line + 1] = said[line]! + Number(speaker !== undefined && speaker !== 'Assistant')
  }
  return ({ startLine, endLine }) =>
    replied[endLine]! > replied[startLine - 1]! && said[endLine] === said[startLine - 1]
}

const LONGEST_QUESTION = 100

/** The first line that the user wrote in the exchange. */
function question(lines: TextLines, { from, to }: { from: number; to: number }): string {
  if (lines.line(from) !== '## User') return lines.line(from) === '## Compaction summary' ? 'Compaction summary' : ''
  for (let line = from + 1; line < to; line++) {
    const text = lines.line(line).trim()
    if (TURN.test(text)) return ''
    if (text !== '' && !text.startsWith('> ')) return head(text, LONGEST_QUESTION)
  }
  return ''
}
