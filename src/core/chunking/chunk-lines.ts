import { readLines, type TextLines } from '../text/text-lines.ts'
import type { Chunk } from './chunk.ts'
import { type BreakPlan, cutChunks } from './cut-chunks.ts'

/** Chunks of a text whose syntax is not known: cuts after blank lines, before lines that are not indented. */
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
