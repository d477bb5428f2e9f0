import { useNavigate } from '@tanstack/react-router'
import type { Calls } from '../../../api/call.ts'
import { useAct, useAnswer, useProject } from '../../../api/queries.ts'
import { forgetRecentMemory } from '../../../frame/recent-places.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import type { MemorySearch } from '../memory-address.ts'
import { Proof } from './proof.tsx'
import styles from './forget.module.css'

interface Props {
  /** Path of a session, or id of a note. */
  readonly what: string
  /** Whether the forgotten document is a full page, which then has nothing to show. */
  readonly isPage: boolean
  readonly onClose: () => void
}

/** Shows the data to be forgotten, asks for confirmation, and then shows proof that it is gone. Cannot be undone. */
export const ForgetDialog = ({ what, isPage, onClose }: Props) => {
  const project = useProject()
  const navigate = useNavigate()
  const forget = useAct('forget')
  const isDone = forget.data?.removed === true
  const found = useAnswer('forget', { what, dry_run: true }, { enabled: !isDone && !forget.isPending })
  const matches = found.data?.matches ?? []
  const close = (): void => {
    onClose()
    if (!isDone) return
    // Returns to the list, without the preview of the forgotten item.
    const unpreview = (): void =>
      void navigate({
        to: '/$project/memory',
        params: { project },
        search: ({ at: _at, ...rest }: MemorySearch) => rest,
        replace: true,
      })
    if (!isPage) return unpreview()
    addEventListener('popstate', () => location.pathname.endsWith('/memory') && unpreview(), { once: true })
    history.back()
  }
  return (
    <Dialog
      open
      onClose={close}
      width="wide"
      title={isDone ? 'Forgotten' : 'Forget for good?'}
      actions={
        isDone ? (
          <Button look="primary" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={close}>Keep</Button>
            <Button
              look="bad"
              busy={forget.isPending}
              disabled={matches.length === 0}
              onClick={() => forget.mutate({ what, yes: true }, { onSuccess: forgetRecentMemory })}
            >
              {matches.length > 1 ? `Forget all ${matches.length}` : 'Forget'}
            </Button>
          </>
        )
      }
    >
      {forget.error !== null && <FaultNote fault={forget.error} />}
      {isDone ? (
        <Proof answer={forget.data!} />
      ) : found.error !== null ? (
        <FaultNote fault={found.error} again={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton rows={2} label="Finding what would be removed" />
      ) : (
        <ToBeForgotten matches={matches} />
      )}
    </Dialog>
  )
}

type Matches = Calls['forget']['output']['matches']

/** Everything that would be forgotten, before confirmation. */
const ToBeForgotten = ({ matches }: { matches: Matches }) => (
  <>
    <p>
      Removes it from Ken’s files, the index and later harvests. This cannot be undone. The agents’ own logs are not
      changed.
    </p>
    <ul className={styles.matches} aria-label="To be removed">
      {matches.slice(0, MOST).map(({ kind, title, path, client }) => (
        <li key={`${path} ${title}`} className={styles.match}>
          <span className={styles.kind}>{client === undefined ? kind : `${kind}, ${client}`}</span>
          <span>{title}</span>
          <span className={styles.path}>{path}</span>
        </li>
      ))}
    </ul>
    {matches.length > MOST && <p>And {matches.length - MOST} more.</p>}
  </>
)

const MOST = 50
