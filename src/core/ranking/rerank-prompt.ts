import { delimit, IS_DATA } from '../text/delimit.ts'

const BEST = 10

/** Asks for a mark for each of some numbered passages. */
export function rerankPrompt(
  query: string,
  passages: readonly string[],
): { readonly system: string; readonly prompt: string } {
  const list = passages.map((passage, at) => delimit('passage', passage, `number="${at + 1}"`)).join('\n')
  return {
    system: `You judge how well passages answer a query. ${IS_DATA}`,
    prompt: `${delimit('query', query)}\n\n${list}\n\nGive every passage a mark from 0 (has nothing to do with the query) to ${BEST} (answers it). One line per passage, its number, a colon and the mark, for example "1: 7"; nothing else.`,
  }
}

/**
 * Scores from 0 to 1 in order of passage; undefined unless every passage has exactly one mark and nothing else is said.
 */
export function readMarks(answer: string, count: number): readonly number[] | undefined {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const scores = new Map<number, number>()
  for (const line of lines) {
    const [, number, mark] = /^(\d{1,3})\s*:\s*(\d{1,2}(?:\.\d+)?)$/.exec(line) ?? []
    if (number === undefined || Number(mark) > BEST) return undefined
    scores.set(Number(number), Number(mark) / BEST)
  }
  const ordered = Array.from({ length: count }, (_, at) => scores.get(at + 1))
  return lines.length === count && ordered.every((score) => score !== undefined) ? ordered : undefined
}
