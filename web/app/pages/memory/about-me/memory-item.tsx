import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Calls } from '../../../api/call.ts'
import { useAct, useProject, useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { classNames } from '../../../kit/class-names.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import { EditMemory } from './edit-memory.tsx'
import { MemoryEvents } from './memory-events.tsx'
import { isOwnWord, saidDiffers, sourceWords } from './memory-words.ts'
import { PromoteMemory } from './promote-memory.tsx'
import styles from './about-me.module.css'

export type Memory = Calls['memories_list']['output']['memories'][number]

type Open = 'edit' | 'history' | 'promote' | 'erase' | undefined

/** One memory: its text, its scope, its source and its actions. */
export const MemoryItem = ({ memory }: { memory: Memory }) => {
  const project = useProject()
  const [open, setOpen] = useState<Open>()
  const forget = useAct('memories_forget')
  const undo = useAct('memories_undo')
  // A late save must not close a panel opened since.
  const closing = (what: Open) => () => setOpen((now) => (now === what ? undefined : now))
  const holds = memory.state === 'holds'
  const forgetIt = async (): Promise<void> => {
    await forget.mutateAsync({ memory: memory.id })
    showToast({ text: 'Forgotten', undo: () => undo.mutateAsync({}) })
  }
  return (
    <li className={styles.item}>
      {open === 'edit' ? (
        <EditMemory memory={memory} onClose={closing('edit')} />
      ) : (
        <p className={classNames(styles.content, !holds && styles.gone)}>{memory.content}</p>
      )}
      {saidDiffers(memory) && <p className={styles.said}>You said: “{memory.words}”</p>}
      <p className={styles.facts}>
        <TrustMark trust={isOwnWord(memory) ? 'approved' : 'learned'} />
        <span>{memory.scope === 'project' ? 'in this project' : 'in all projects'}</span>
        {!holds && <span>{memory.state}</span>}
        <TimeAgo at={memory.created_at} />
        {memory.source !== undefined && <span>{sourceWords(memory.source)}</span>}
        {memory.chat !== undefined && (
          <Link to="/$project/ask/$chat" params={{ project, chat: memory.chat }}>
            in a chat
          </Link>
        )}
      </p>
      <div className={styles.actions}>
        {holds && (
          <>
            <Button size="small" look="quiet" onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button size="small" look="quiet" onClick={() => setOpen('promote')}>
              Promote
            </Button>
            <Button
              size="small"
              look="quiet"
              busy={forget.isPending}
              onClick={() => void forgetIt().catch(() => undefined)}
            >
              Forget
            </Button>
          </>
        )}
        <Button
          size="small"
          look="quiet"
          aria-expanded={open === 'history'}
          onClick={() => setOpen(open === 'history' ? undefined : 'history')}
        >
          History
        </Button>
        <Button size="small" look="quiet" onClick={() => setOpen('erase')}>
          Erase
        </Button>
      </div>
      {forget.error !== null && <FaultNote fault={forget.error} />}
      {open === 'history' && <MemoryHistory memory={memory.id} />}
      {open === 'promote' && <PromoteMemory memory={memory} onClose={closing('promote')} />}
      {open === 'erase' && <EraseMemory memory={memory} onClose={closing('erase')} />}
    </li>
  )
}

/** Erases the text permanently, including its history, after confirmation. */
const EraseMemory = ({ memory, onClose }: { memory: Memory; onClose: () => void }) => {
  const erase = useAct('memories_forget')
  const go = (): void => erase.mutate({ memory: memory.id, erase: true, yes: true }, { onSuccess: onClose })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Erase for good?"
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button look="bad" busy={erase.isPending} onClick={go}>
            Erase
          </Button>
        </>
      }
    >
      <p>“{memory.content}”</p>
      <p>
        Erases its text and history. This cannot be undone. The chat it came from keeps the words until you delete it.
      </p>
      {erase.error !== null && <FaultNote fault={erase.error} />}
    </Dialog>
  )
}

/** Changes of one memory, newest first. */
const MemoryHistory = ({ memory }: { memory: string }) => {
  const { data, error } = useAnswer('memories_history', { memory })
  if (error !== null) return <FaultNote fault={error} />
  return data === undefined ? <Skeleton rows={2} /> : <MemoryEvents events={data.events} />
}
