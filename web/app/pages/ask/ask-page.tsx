import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../api/queries.ts'
import { Page } from '../../frame/page.tsx'
import { Split } from '../../kit/split.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatPlace } from './chat-place.ts'
import { NewChatLink } from './new-chat-link.tsx'
import css from './ask-page.module.css'

/** The chats, and the open or new one. If there is room for only one pane, `chats` shows the list. */
export const AskPage = () => {
  const project = useProject()
  const { chat } = useParams({ strict: false })
  const { chats, find, shared } = useSearch({ from: '/$project/ask' })
  const navigate = useNavigate()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const back = () =>
    navigate({
      to: '/$project/ask',
      params: { project },
      search: { chats: true, ...(find !== undefined && { find }), ...(shared === true && { shared }) },
    })
  return (
    <Page
      title="Ask"
      layout="fill"
      actions={
        <>
          <div ref={setPlace} className={css.chat} />
          <NewChatLink />
        </>
      }
    >
      <ChatPlace value={place}>
        <Split
          name="ask"
          listLabel="Chats"
          list={<ChatList open={chat} />}
          detail={chats === true ? undefined : <Outlet />}
          empty={<Outlet />}
          onBack={() => void back()}
        />
      </ChatPlace>
    </Page>
  )
}
