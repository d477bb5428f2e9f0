import { useNavigate } from '@tanstack/react-router'
import { useContext, useMemo, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import { addUsage, NO_USAGE } from '../../../../src/kernel/domain/model-usage.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { ShareButton } from '../../frame/sharing/share-button.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { ChatLog } from './chat-log.ts'
import { ChatPlace } from './chat-place.ts'
import { questionText } from './question-text.ts'
import { useExportChat } from './use-export-chat.ts'
import { useKnownChat } from './use-known-chat.ts'
import { useRenameChat } from './use-rename-chat.ts'
import css from './chat-head.module.css'

/** Title, cost and actions of the chat. */
export const ChatHead = ({ chat, log }: { chat: string; log: ChatLog }) => {
  const { known, isOwn } = useKnownChat(chat)
  const asked = log.messages[0] && questionText(log.messages[0])
  const title = known?.title ?? log.title ?? asked?.slice(0, 64) ?? 'Chat'
  usePageTitle(title)
  const [isRenamed, setRenamed] = useState(false)
  const project = useProject()
  const navigate = useNavigate()
  const star = useAct('chat_star')
  const save = useExportChat({ id: chat, title })
  const files = [
    { label: 'Export as Markdown', icon: 'download', onSelect: () => void save('markdown') },
    { label: 'Export as JSON', icon: 'download', onSelect: () => void save('json') },
  ] as const
  return (
    <InHead>
      {isRenamed ? (
        <RenameTitle chat={chat} title={title} onDone={() => setRenamed(false)} />
      ) : (
        <p className={css.title} onDoubleClick={() => setRenamed(isOwn)}>
          {title === asked ? '' : title}
        </p>
      )}
      {isOwn && <SpentOn log={log} />}
      {isOwn && <ShareButton of="chat" id={chat} shared={known?.shared} />}
      <Menu
        align="end"
        trigger={<IconButton icon="more" label="More for this chat" />}
        entries={
          isOwn
            ? [
                { label: 'Rename', icon: 'edit', onSelect: () => setRenamed(true) },
                {
                  label: known?.starred === true ? 'Remove star' : 'Star',
                  icon: 'star',
                  onSelect: () => star.mutate({ chat, off: known?.starred === true }),
                },
                ...(isOffered('test_record')
                  ? ([
                      {
                        label: 'Record a test case',
                        icon: 'tests',
                        onSelect: () =>
                          void navigate({ to: '/$project/tests', params: { project }, search: { record: chat } }),
                      },
                    ] as const)
                  : []),
                'line',
                ...files,
              ]
            : files
        }
      />
    </InHead>
  )
}

const InHead = ({ children }: { children: ReactNode }) => {
  const place = useContext(ChatPlace)
  return place && createPortal(children, place)
}

const SpentOn = ({ log }: { log: ChatLog }) => {
  const usage = useMemo(
    () => log.messages.reduce((sum, { end }) => addUsage(sum, end?.usage ?? NO_USAGE), NO_USAGE),
    [log.messages],
  )
  const tokens = usage.input + usage.output
  if (tokens === 0) return null
  return (
    <span
      className={css.spent}
      title={`${usage.input.toLocaleString('en')} in, ${usage.output.toLocaleString('en')} out`}
    >
      {tokens.toLocaleString('en')} tokens{usage.cost === undefined ? '' : ` · ${inDollars(usage.cost)}`}
    </span>
  )
}

const RenameTitle = ({ chat, title, onDone }: { chat: string; title: string; onDone: () => void }) => {
  const { words, setWords, keep } = useRenameChat(chat, title, onDone)
  return (
    <input
      className={css.rename}
      aria-label="Title of the chat"
      autoFocus
      maxLength={200}
      value={words}
      onChange={(event) => setWords(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key === 'Escape') onDone()
      }}
    />
  )
}
