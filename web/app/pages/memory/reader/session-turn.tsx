import { memo, useMemo, useState } from 'react'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { classNames } from '../../../kit/class-names.ts'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Reading } from '../../../kit/reading.tsx'
import { formsIn } from '../matched-words.ts'
import { quoteOf } from './quote.ts'
import { ToolLines } from './tool-lines.tsx'
import type { Turn } from './use-turns.ts'
import styles from './session-turn.module.css'

interface Props {
  /** Undefined while it loads. */
  readonly turn: Turn | undefined
  readonly id: string
  readonly title: string
  readonly index: number
  readonly total: number
  /** Whether the reader jumped to this turn. */
  readonly isHere: boolean
  readonly find: string
}

export const SessionTurn = memo(({ turn, id, title, index, total, isHere, find }: Props) => {
  const project = useProject()
  if (turn === undefined) return <div className={styles.coming} aria-hidden="true" />
  const link = () => `${location.origin}/${encodeURIComponent(project)}/memory/doc/${id}?line=${turn.line}`
  return (
    <article
      className={classNames(styles.turn, styles[turn.role], isHere && styles.here)}
      aria-label={`Turn ${index + 1}`}
      aria-posinset={index + 1}
      aria-setsize={total}
    >
      <header className={styles.head}>
        <span className={styles.who}>{WHO[turn.role]}</span>
        <time dateTime={turn.at}>{WHEN.format(new Date(turn.at))}</time>
        {turn.queued && <span>typed while the agent worked</span>}
        {turn.aborted && <span className={styles.warn}>interrupted</span>}
        <span className={styles.number}>{turn.number}</span>
        <CopyButton alone label="Copy as quote with link" text={() => quoteOf(turn, { title, link: link() })} />
      </header>
      <Text turn={turn} id={id} find={find} />
      {(turn.files.length > 0 || turn.images > 0) && (
        <p className={styles.beside}>
          {[
            ...turn.files,
            ...(turn.images > 0 ? [`${turn.images} ${turn.images === 1 ? 'image' : 'images'}`] : []),
          ].join(', ')}
        </p>
      )}
      <ToolLines tools={turn.tools} />
    </article>
  )
})

const Text = ({ turn, id, find }: { turn: Turn; id: string; find: string }) => {
  const [isWhole, setWhole] = useState(false)
  const { data } = useAnswer(
    'session_show',
    { id, from: turn.number, count: 1, whole: true, workspace: 'all' },
    { enabled: isWhole },
  )
  const words = useMemo(() => formsIn(turn.text, find), [turn.text, find])
  const text = data?.turns[0]?.text ?? turn.text
  return (
    <>
      {text.length > LONGEST_READ || hasLongLine(text) ? (
        <pre className={styles.raw} tabIndex={0} role="group" aria-label="Long text">
          {text}
        </pre>
      ) : (
        <Reading text={text} heading={3} plain={turn.role !== 'assistant'} words={words} />
      )}
      {turn.cut !== undefined && data === undefined && (
        <Button size="small" busy={isWhole} onClick={() => setWhole(true)}>
          Show {turn.cut.toLocaleString('en')} more characters
        </Button>
      )}
    </>
  )
}

/** Longer turns are logs rather than writing, and are shown as plain text. */
const LONGEST_READ = 20_000
const LONGEST_LINE = 4_000
const hasLongLine = (text: string): boolean => {
  for (let from = 0, end; from < text.length; from = end + 1) {
    end = text.indexOf('\n', from)
    if (end < 0) end = text.length
    if (end - from > LONGEST_LINE) return true
  }
  return false
}

const WHO = { user: 'You', assistant: 'Agent', summary: 'Summary by the client' } as const
const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
