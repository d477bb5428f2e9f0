import { useAnswer } from '../../../api/queries.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { dayWords } from '../../../kit/time-words.ts'
import { DraftActions } from './draft-actions.tsx'
import { DraftEditor } from './draft-editor.tsx'
import { DraftEvidence } from './draft-evidence.tsx'
import { DraftText } from './draft-text.tsx'
import { KIND_WORDS, type DraftLine, type ShownDraft } from './draft-words.ts'
import type { useSettle } from './use-settle.ts'
import styles from './draft-pane.module.css'

interface Props {
  readonly draft: DraftLine
  readonly settle: ReturnType<typeof useSettle>
  readonly isEditing: boolean
  readonly setEditing: (isEditing: boolean) => void
}

/** One draft: the text it would write, its source, and its actions. */
export const DraftPane = ({ draft, settle, isEditing, setEditing }: Props) => {
  const answer = useAnswer('inbox_show', { draft: draft.id })
  return (
    <article className={styles.pane} aria-label={draft.title}>
      <header className={styles.head}>
        <p className={styles.kind}>{KIND_WORDS[draft.kind]}</p>
        <h2 className={styles.title}>{draft.title}</h2>
        <p className={styles.why}>{draft.why}</p>
        {draft.settled !== undefined && <p className={styles.settled}>{settledWords(draft.settled)}</p>}
      </header>
      {!isEditing && <DraftActions {...{ draft, settle }} shown={answer.data} onEdit={() => setEditing(true)} />}
      {answer.error !== null && <FaultNote fault={answer.error} again={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton rows={5} />}
      {answer.data !== undefined && <Shown shown={answer.data} {...{ isEditing, setEditing }} />}
    </article>
  )
}

const Shown = ({ shown, isEditing, setEditing }: { shown: ShownDraft } & Pick<Props, 'isEditing' | 'setEditing'>) => (
  <>
    {isEditing ? <DraftEditor shown={shown} onDone={() => setEditing(false)} /> : <DraftText shown={shown} />}
    <DraftEvidence shown={shown} />
  </>
)

const settledWords = ({ how, at, where }: NonNullable<DraftLine['settled']>): string =>
  `${how === 'applied' ? 'Applied' : 'Dismissed'} ${dayWords(at)}${where === undefined ? '' : how === 'applied' ? ` to ${where}` : `: ${where}`}`
