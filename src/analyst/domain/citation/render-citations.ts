import { plural } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import type { View } from '../../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../../kernel/domain/view/width.ts'
import type { Citation } from '../chat/part.ts'
import { readCitations } from './read-citations.ts'

const WIDEST = 100

/**
 * Renders an answer for people: links to cells become their numbers, numbers that no query returned or that differ are
 * marked, and lines below explain the marks. Agents get the Markdown unchanged.
 */
export function renderCitations(text: string, citations: readonly Citation[], view: View): string {
  if (view.reader === 'agent') return text
  const places = readCitations(text)
  const differing = citations.filter(({ state }) => state === 'differs')
  const marks = citations
    // The offsets no longer match if the text was escaped or redacted since; no mark is better than a mark on the wrong
    // number.
    .filter(({ state, text: number, at }) => state !== 'checked' && text.startsWith(number, at))
    .map((one) => {
      const sign = one.state === 'unsourced' ? '(?)' : `(≠${differing.indexOf(one) + 1})`
      return { at: one.at + one.text.length, sign: view.mark('warning', sign) }
    })
  const edits = [
    ...places.flatMap(({ from, to, label, labelAt }) => [
      { from, to: labelAt, text: '' },
      { from: labelAt + label.length, to, text: '' },
    ]),
    ...marks.map(({ at, sign }) => ({ from: at, to: at, text: sign })),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to)
  let from = 0
  const parts = edits.map((edit) => {
    const part = text.slice(from, edit.from) + edit.text
    from = edit.to
    return part
  })
  const body = parts.join('') + text.slice(from)
  const notes = footnotes(citations, differing)
  const width = Math.min(view.width, WIDEST)
  const below = notes.flatMap((note) => (width === Infinity ? [note] : wrapWidth(note, width)))
  return below.length === 0 ? body : `${body}\n\n${below.map((line) => view.mark('dim', line)).join('\n')}`
}

function footnotes(citations: readonly Citation[], differing: readonly Citation[]): string[] {
  const unsourced = citations.filter(({ state }) => state === 'unsourced').length
  return [
    ...differing.map((one, i) => {
      const where = [one.query, one.column, one.row === undefined ? undefined : `row ${one.row}`]
      return `(≠${i + 1}) ${one.text}: ${visibleLine(where.filter(Boolean).join(', '))} has ${visibleLine(one.found ?? 'something else')}.`
    }),
    ...(unsourced === 0 ? [] : [`(?) ${plural(unsourced, 'number')} that no query gave.`]),
  ]
}
