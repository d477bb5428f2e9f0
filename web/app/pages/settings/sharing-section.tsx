import { useState } from 'react'
import type { ChatPart } from '../../../../src/analyst/domain/chat/part.ts'
import { answerText } from '../../../../src/analyst/domain/chat/turn-answer.ts'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Reading } from '../../kit/reading.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

/** Who may read chats apart from their owners. Everybody sees the rule; admins can change it, and can unshare chats. */
export const SharingSection = () => {
  const project = useProject()
  const rule = useAnswer('replay_rule', {})
  const role = useAnswer('project_members', { project_id: project })
  const isAdmin = role.data?.role === 'admin'
  const { isBusy, fault, run } = useMutation()
  return (
    <>
      <Part
        title="Chat access"
        about="Only its owner and the people it is shared with can read a chat. A project can also let its admins read its chats: everyone sees that here and on the Ask page, and every access is recorded in the audit log."
      >
        {rule.error && <FaultNote fault={rule.error} again={() => void rule.refetch()} />}
        {rule.data === undefined && !rule.error && <Skeleton rows={1} />}
        {rule.data !== undefined && isAdmin && (
          <Switch
            label="Admins of this project can read everyone’s chats"
            on={rule.data.on}
            disabled={isBusy}
            onChange={(on) => void run(() => call(project, 'replay_change', { on }))}
          />
        )}
        {rule.data !== undefined && !isAdmin && (
          <p>
            {rule.data.on
              ? 'Admins of this project can read everyone’s chats.'
              : 'Only the owner of a chat and the people it is shared with can read it.'}
          </p>
        )}
        {rule.data?.by !== undefined && rule.data.at !== undefined && (
          <p className={styles.soft}>
            Set by {rule.data.by.name} <TimeAgo at={rule.data.at} />.
          </p>
        )}
        {fault && <FaultNote fault={fault} />}
      </Part>
      {isAdmin && <Shared />}
      {isAdmin && rule.data?.on === true && <Replayed />}
    </>
  )
}

const Shared = () => {
  const project = useProject()
  const { data } = useAnswer('sharing_list', {})
  const { isBusy, fault, run } = useMutation()
  return (
    <Part title="Shared items" about="You can stop sharing any item. Titles are shown for items shared with everyone.">
      {fault && <FaultNote fault={fault} />}
      {data?.shared.length === 0 && <p className={styles.soft}>No shared items.</p>}
      <ul className={styles.rows}>
        {data?.shared.map(({ of, id, owner, visibility, people, title }) => (
          <li key={`${of} ${id}`} className={styles.line}>
            <span className={styles.name}>{title ?? (of === 'chat' ? 'A chat' : 'A story')}</span>
            <span className={styles.soft}>
              {of} by {owner.name}, shared with{' '}
              {visibility === 'project' ? 'everyone' : `${people} ${people === 1 ? 'person' : 'people'}`}
            </span>
            <span className={styles.end}>
              <Button
                size="small"
                disabled={isBusy}
                aria-label={`Stop sharing the ${of} ${title ?? id}`}
                onClick={() => void run(() => call(project, 'sharing_end', { of, id }))}
              >
                Stop sharing
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const Replayed = () => {
  const [open, setOpen] = useState<string>()
  const { data, error, refetch } = useAnswer('replay_chats', {})
  return (
    <Part title="All chats" about="The newest chats. Reading one is recorded in the audit log.">
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      <ul className={styles.rows}>
        {data?.chats.map(({ id, title, owner, updated_at }) => (
          <li key={id} className={styles.line}>
            <span className={styles.name}>{title}</span>
            <span className={styles.soft}>
              {owner?.name ?? 'you'} · <TimeAgo at={updated_at} />
            </span>
            <span className={styles.end}>
              <Button size="small" icon="eye" aria-label={`Read ${title}`} onClick={() => setOpen(id)}>
                Read
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open !== undefined && <ReplayDialog chat={open} onClose={() => setOpen(undefined)} />}
    </Part>
  )
}

type Message = Calls['replay_show']['output']['messages'][number]

/** Another person's chat, read-only. */
const ReplayDialog = ({ chat, onClose }: { chat: string; onClose: () => void }) => {
  const { data, error, refetch } = useAnswer('replay_show', { chat })
  return (
    <Dialog open onClose={onClose} width="wide" title={data?.chat.title ?? 'A chat'}>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && !error && <Skeleton rows={6} label="Loading the chat" />}
      <ol className={styles.rows}>
        {data?.messages.map((message) => (
          <li key={message.id}>
            <p className={styles.soft}>
              {message.role === 'user' ? (data.chat.owner?.name ?? 'You') : 'The analyst'} · <TimeAgo at={message.at} />
            </p>
            <Reading text={textOf(message)} heading={3} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function textOf({ role, parts }: Message): string {
  const said = parts as unknown as readonly ChatPart[]
  return role === 'assistant'
    ? answerText(said)
    : said.map((part) => (part.kind === 'text' ? part.text : '')).join('\n\n')
}
