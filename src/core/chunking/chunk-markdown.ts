import { readLines } from '../text/text-lines.ts'
import type { Chunk } from './chunk.ts'
import { cutChunks } from './cut-chunks.ts'
import { markdownPlan } from './markdown-plan.ts'

/** Chunks of a Markdown document, each with the headings it stands under. */
export function chunkMarkdown(text: string): Chunk[] {
  const lines = readLines(text)
  return cutChunks(lines, markdownPlan(lines))
}
