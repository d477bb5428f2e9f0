import { useAnswer } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { LineReader } from './reader/line-reader.tsx'
import { NoteReader } from './reader/note-reader.tsx'
import { SessionReader } from './reader/session-reader.tsx'

interface Props {
  readonly id: string
  readonly line: number | undefined
  readonly find: string
  /** Whether it is a full page: its title is the page title, and its keys are active. */
  readonly isWhole?: boolean
}

/** A found document, at the place of the match. */
export const DocumentView = ({ id, line, find, isWhole = false }: Props) => {
  const { data, error, isPending, refetch } = useAnswer('memory_get', {
    id,
    max_lines: 1,
    from_line: 1,
    workspace: 'all',
  })
  if (isPending) return <Skeleton rows={8} />
  // The cached text of a forgotten document stays visible while the reader sees the proof of its deletion.
  if (data === undefined)
    return (
      <>
        {isWhole && (
          <h1 className="visually-hidden" tabIndex={-1}>
            Document not found
          </h1>
        )}
        <FaultNote fault={error} again={() => void refetch()} />
      </>
    )
  const shared = { document: data, line, find, isWhole }
  if (data.origin === 'session' && isOffered('session_show')) return <SessionReader {...shared} />
  if (data.origin === 'note') return <NoteReader {...shared} />
  return <LineReader {...shared} />
}
