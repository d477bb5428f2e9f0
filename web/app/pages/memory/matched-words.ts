import { wordMarker } from '../../../../src/kernel/domain/view/mark-words.ts'
import { spansOf } from '../../../../src/kernel/domain/view/styled.ts'
import { screenView } from '../../../../src/kernel/domain/view/view.ts'

export interface MarkedSpan {
  readonly text: string
  readonly isMatch: boolean
}

/** Highlights the words of a query in any form, using the analyser of the search. */
export function openMarker(question: string): (text: string) => readonly MarkedSpan[] {
  if (question.trim() === '') return (text) => [{ text, isMatch: false }]
  const mark = wordMarker(question, VIEW)
  return (text) => spansOf(mark(text)).map((span) => ({ text: span.text, isMatch: span.tones.includes('match') }))
}

/** The forms of a query's words in a text, without duplicates. */
export const formsIn = (text: string, question: string): readonly string[] => [
  ...new Set(
    openMarker(question)(text)
      .filter(({ isMatch }) => isMatch)
      .map((span) => span.text),
  ),
]

// Only the highlighting of the view is used.
const VIEW = screenView({ columns: 80, now: new Date(0), hasColour: true, verbose: false })
