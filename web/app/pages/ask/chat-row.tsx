import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { IconButton } from '../../kit/button.tsx'
import { classNames } from '../../kit/class-names.ts'
import { Menu } from '../../kit/menu.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { useExportChat } from './use-export-chat.ts'
import { useRenameChat } from './use-rename-chat.ts'
import css from './chat-row.module.css'

export type ListedChat = Calls['chats_list']['output']['chats'][number]

interface Props {
  readonly chat: ListedChat
  readonly isOpen: boolean
  readonly isActive: boolean
}

/** One chat of the list, with its actions. */
export const ChatRow = ({ chat, isOpen, isActive }: Props) => {
  const [isRenamed, setRenamed] = useState(false)
  const star = useAct('chat_star')
  const remove = useDeleteChat(isOpen)
  const save = useExportChat(chat)
  if (chat.owner !== undefined) return <SharedRow chat={chat} owner={chat.owner.name} isActive={isActive} />
  if (isRenamed) return <RenameChat chat={chat} onDone={() => setRenamed(false)} />
  return (
    <div className={css.row} data-active={isActive || undefined}>
      <span className={css.title} title={chat.title}>
        {chat.starred && <span className={css.starred}>★ </span>}
        {chat.title}
      </span>
      <TimeAgo at={chat.updated_at} className={css.time ?? ''} />
      <span className={css.tools} onClick={(event) => event.stopPropagation()}>
        <IconButton
          icon="star"
          size="small"
          label={chat.starred ? `Remove the star from ${chat.title}` : `Star ${chat.title}`}
          aria-pressed={chat.starred}
          className={classNames(css.star, chat.starred && css.starred)}
          onClick={() => star.mutate({ chat: chat.id, off: chat.starred })}
        />
        <Menu
          align="end"
          trigger={<IconButton icon="more" size="small" label={`More for ${chat.title}`} />}
          entries={[
            { label: 'Rename', icon: 'edit', onSelect: () => setRenamed(true) },
            { label: 'Export as Markdown', icon: 'download', onSelect: () => void save('markdown') },
            { label: 'Export as JSON', icon: 'download', onSelect: () => void save('json') },
            'line',
            { label: 'Delete', icon: 'trash', tone: 'bad', onSelect: () => void remove(chat) },
          ]}
        />
      </span>
    </div>
  )
}

/** Another person's chat: read-only. */
const SharedRow = ({ chat, owner, isActive }: Pick<Props, 'chat' | 'isActive'> & { owner: string }) => (
  <div className={css.row} data-active={isActive || undefined}>
    <span className={css.title} title={chat.title}>
      {chat.title}
    </span>
    <span className={css.owner}>shared by {owner}</span>
  </div>
)

/** Deletes a chat at once, and offers an undo for a while. */
function useDeleteChat(isOpen: boolean): (chat: ListedChat) => Promise<void> {
  const project = useProject()
  const navigate = useNavigate()
  const remove = useAct('chat_delete')
  const restore = useAct('chat_restore')
  return async ({ id, title }) => {
    try {
      await remove.mutateAsync({ chat: id })
      if (isOpen) await navigate({ to: '/$project/ask', params: { project } })
      showToast({ text: `Deleted “${title}”.`, undo: () => restore.mutateAsync({ chat: id }) })
    } catch (fault) {
      showToast({ text: fault instanceof Error ? fault.message : 'Can’t delete the chat.', tone: 'bad' })
    }
  }
}

const RenameChat = ({ chat, onDone }: { chat: ListedChat; onDone: () => void }) => {
  const { words, setWords, keep } = useRenameChat(chat.id, chat.title, onDone)
  return (
    <div className={css.row} onClick={(event) => event.stopPropagation()}>
      <input
        className={css.rename}
        aria-label="Title of the chat"
        autoFocus
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep()
          if (event.key === 'Escape') onDone()
        }}
      />
    </div>
  )
}
