import { useMemo } from 'react'
import { openMarker } from './matched-words.ts'

/** A text with the words of a query highlighted. */
export const MarkedText = ({ text, question }: { text: string; question: string }) => {
  const mark = useMemo(() => openMarker(question), [question])
  return mark(text).map((span, at) =>
    span.isMatch ? <mark key={at}>{span.text}</mark> : <span key={at}>{span.text}</span>,
  )
}
