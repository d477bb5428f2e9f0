import { memo, useCallback, useMemo, type ReactNode } from 'react'
import type { Citation } from '../../../../src/analyst/domain/chat/part.ts'
import { openCitation } from '../../../../src/analyst/domain/citation/read-citations.ts'
import type { Figure } from '../../../../src/analyst/domain/story/story-blocks.ts'
import { Reading } from '../../kit/reading.tsx'
import { CitedNumber } from './cited-number.tsx'
import { citedText } from './cited-text.ts'
import css from './answer-text.module.css'

interface Props {
  readonly text: string
  readonly citations: readonly Citation[]
  /** Queries of the answer, in order, which determines their display names. */
  readonly queries: readonly string[]
  /** The person's question. */
  readonly asked: string
  /** Whether the answer is still being written. */
  readonly isOpen: boolean
  readonly onCell: (query: string, cell: { readonly column: string; readonly row: number }) => void
}

/** The text of an answer, with its numbers linked to their cells. */
export const AnswerText = memo(function AnswerText({ text, citations, queries, asked, isOpen, onCell }: Props) {
  const { markdown, figures } = useMemo(
    // An incomplete link would be shown as its Markdown.
    () => citedText(isOpen ? text.slice(0, text.length - openCitation(text).length) : text, citations),
    [text, citations, isOpen],
  )
  const figure = useCallback(
    ({ place }: Figure, shown: ReactNode): ReactNode => {
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

/** `q3` for the third query of an answer; a query of an earlier answer by its id. */
export const nameOf = (query: string, queries: readonly string[]): string => {
  const at = queries.indexOf(query)
  return at < 0 ? query : `q${at + 1}`
}
