import type { Citation } from '../../../../src/analyst/domain/chat/part.ts'
import { readCitations, withoutCitations } from '../../../../src/analyst/domain/citation/read-citations.ts'

/** Citations of an answer's figures, by the place in its Markdown. */
export interface CitedText {
  /** Markdown in which every cited number is a link to `q_cited.<number>`. */
  readonly markdown: string
  readonly figures: ReadonlyMap<string, Citation>
}

/** An answer with its numbers as links. Before the check, a number that names its cell is marked as unchecked. */
export function citedText(text: string, citations: readonly Citation[]): CitedText {
  const figures = new Map<string, Citation>()
  const places = readCitations(text)
  const edits = places.map(({ from, to, label, labelAt, query, column, row }) => {
    const known = citations.filter(
      ({ at, text: number }) => at >= labelAt && at + number.length <= labelAt + label.length,
    )
    const one = known.find(({ state }) => state !== 'checked') ??
      known[0] ?? {
        text: label,
        at: labelAt,
        state: 'unsourced' as const,
        query,
        ...(column !== undefined && { column }),
        ...(row !== undefined && { row }),
      }
    return { from, to, label, one }
  })
  const isInPlace = (at: number): boolean => places.some(({ from, to }) => at >= from && at < to)
  for (const one of citations)
    // In redacted or escaped text the positions have shifted: no mark is better than one at another number.
    if (!isInPlace(one.at) && text.startsWith(one.text, one.at) && isFree(text, one))
      edits.push({ from: one.at, to: one.at + one.text.length, label: one.text, one })
  let from = 0
  let markdown = ''
  for (const [at, edit] of edits.toSorted((a, b) => a.from - b.from).entries()) {
    if (edit.from < from) continue
    const place = `q_cited.${at}`
    figures.set(place, edit.one)
    markdown += `${text.slice(from, edit.from)}[${edit.label}](${place})`
    from = edit.to
  }
  return { markdown: markdown + text.slice(from), figures }
}

/** The text without citations, for copying. */
export const plainAnswer = (text: string): string => withoutCitations(text)

/** A number inside a link's address or code is not changed. */
function isFree(text: string, { at, text: number }: Citation): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  const isCode = (line.split('`').length - 1) % 2 === 1
  return !isCode && !/\]\([^)\s]*$/.test(line) && !/https?:\/\/\S*$/.test(line) && !number.includes(']')
}
