import { Link } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Reading } from '../../../kit/reading.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { formsIn } from '../matched-words.ts'
import { DocumentFacts } from './document-facts.tsx'
import { ReaderHead } from './reader-head.tsx'
import type { ReaderProps } from './reader-props.ts'
import styles from './note-reader.module.css'

/** One note, without the rest of its file. */
export const NoteReader = ({ document, find, isWhole }: ReaderProps) => {
  const project = useProject()
  const { data, error, refetch } = useAnswer('memory_get', { id: document.id, workspace: 'all' })
  if (error !== null && data === undefined) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={4} />
  const file = data.path.split(/[/\\]/).at(-1) ?? ''
  return (
    <article className={styles.note}>
      <ReaderHead document={document} isWhole={isWhole}>
        <DocumentFacts document={document} />
        <p>
          <Link to="/$project/memory/notes" params={{ project }} search={{ file }}>
            Edit {file}
          </Link>
        </p>
      </ReaderHead>
      <div className={styles.text}>
        <Reading text={data.text} heading={3} words={formsIn(data.text, find)} />
      </div>
    </article>
  )
}
