import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef } from 'react'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { ReplayNote } from '../../frame/sharing/replay-note.tsx'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { FindField } from '../../kit/find-field.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { ChatRow } from './chat-row.tsx'
import css from './chat-list.module.css'

// The maximum of one call; older chats are found by search.
const MOST = 500

/** The chats of the project, starred ones first; can be searched. */
export const ChatList = ({ open }: { open: string | undefined }) => {
  const project = useProject()
  const { find = '', shared, ...rest } = useSearch({ from: '/$project/ask' })
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const words = useDeferredValue(find).split(/\s+/).filter(Boolean)
  const listed = useAnswer(
    'chats_list',
    { words, limit: MOST, ...(shared === true && { whose: 'shared' as const }) },
    { keep: true },
  )
  const chats = useMemo(() => {
    const all = listed.data?.chats ?? []
    return [...all.filter(({ starred }) => starred), ...all.filter(({ starred }) => !starred)]
  }, [listed.data])
  const which = shared === true ? { shared } : {}
  const look = (value: string) =>
    navigate({ to: '.', search: { ...rest, ...which, ...(value !== '' && { find: value }) }, replace: true })
  const choose = (isShared: boolean) =>
    navigate({ to: '.', search: { ...rest, ...(find !== '' && { find }), ...(isShared && { shared: true as const }) } })
  const openChat = (chat: string) =>
    navigate({
      to: '/$project/ask/$chat',
      params: { project, chat },
      search: { ...which, ...(find !== '' && { find }) },
    })
  useKeys([
    { keys: '/', does: 'Search chats', group: 'Ask', run: () => field.current?.focus() },
    {
      keys: 'n',
      does: 'New chat',
      group: 'Ask',
      run: () => void navigate({ to: '/$project/ask', params: { project } }),
    },
  ])
  return (
    <div className={css.list}>
      <div className={css.head}>
        <FindField ref={field} label="Search chats" value={find} onChange={(words) => void look(words)} />
        {isTeam() && (
          <div className={css.which} role="group" aria-label="Which chats">
            <Button size="small" look="quiet" aria-pressed={shared !== true} onClick={() => void choose(false)}>
              All
            </Button>
            <Button size="small" look="quiet" aria-pressed={shared === true} onClick={() => void choose(true)}>
              Shared with me
            </Button>
          </div>
        )}
        <ReplayNote className={css.note} />
      </div>
      {listed.isPending && <Skeleton rows={6} label="Loading chats" />}
      {listed.isError && <FaultNote fault={listed.error} again={() => void listed.refetch()} />}
      {listed.isSuccess && chats.length === 0 && (
        <p className={css.nothing}>
          {find !== ''
            ? 'No chats match.'
            : shared === true
              ? 'No shared chats yet. Chats that others share with you appear here.'
              : 'Your chats appear here. Ask a question to start one.'}
        </p>
      )}
      {listed.data?.more !== undefined && (
        <p className={css.nothing}>The newest {MOST} chats. Search to find older ones.</p>
      )}
      {chats.length > 0 && (
        <VirtualList
          label="Chats"
          items={chats}
          keyOf={({ id }) => id}
          open={open}
          onOpen={({ id }) => void openChat(id)}
          isMain
          semantics="grid"
        >
          {(chat, { isActive }) => <ChatRow chat={chat} isOpen={chat.id === open} isActive={isActive} />}
        </VirtualList>
      )}
      {listed.data?.more !== undefined && <p className={css.nothing}>Search to find older chats.</p>}
    </div>
  )
}
