import type { ChatPart } from '../../../../src/analyst/domain/chat/part.ts'
import { answerText } from '../../../../src/analyst/domain/chat/turn-answer.ts'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Reading } from '../../kit/reading.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import styles from './settings.module.css'

type Message = Calls['replay_show']['output']['messages'][number]

/** Another person's chat, read-only. */
export const ReplayDialog = ({ chat, onClose }: { chat: string; onClose: () => void }) => {
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
