import { memo, useCallback, useMemo, type ReactNode } from 'react'
import type { Citation } from '../../../../src/analyst/domain/chat/part.ts'
import { openCitation } from '../../../../src/analyst/domain/citation/read-citations.ts'
import { Reading } from '../../kit/reading.tsx'
import { CitedNumber } from './cited-number.tsx'
import { citedText } from './cited-text.ts'
import css from './answer-text.module.css'

interface Props {
  readonly text: string
  readonly citations: readonly Citation[]
  /** Of the answer, in order: what they are called here follows from it. */
  readonly queries: readonly string[]
  /** What the person asked. */
  readonly asked: string
  /** It is being written. */
  readonly isOpen: boolean
  readonly onCell: (query: string, cell: { readonly column: string; readonly row: number }) => void
}

/** The words of an answer, its numbers as places that lead to their cells. */
export const AnswerText = memo(function AnswerText({ text, citations, queries, asked, isOpen, onCell }: Props) {
  const { markdown, figures } = useMemo(
    // A link that is only half there would be seen as what it is made of.
    () => citedText(isOpen ? text.slice(0, text.length - openCitation(text).length) : text, citations),
    [text, citations, isOpen],
  )
  const figure = useCallback(
    (place: string, shown: ReactNode): ReactNode => {
      const citation = figures.get(place)
      if (citation === undefined) return shown
      const name = citation.query === undefined ? undefined : nameOf(citation.query, queries)
      return (
        <CitedNumber citation={citation} name={name} isChecked={!isOpen} onCell={onCell}>
          {shown}
        </CitedNumber>
      )
    },
    [figures, queries, isOpen, onCell],
  )
  if (text === '') return null
  return (
    <div className={css.text} data-answer-text>
      <Reading text={markdown} heading={3} figure={figure} given={asked} />
    </div>
  )
})

/** `q3` for the third query of an answer; one of an earlier answer by its own id. */
export const nameOf = (query: string, queries: readonly string[]): string => {
  const at = queries.indexOf(query)
  return at < 0 ? query : `q${at + 1}`
}
