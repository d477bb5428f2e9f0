import { useParams } from '@tanstack/react-router'
import { Conversation } from './conversation.tsx'

export const ChatPage = () => {
  const { chat } = useParams({ strict: false })
  return chat === undefined ? null : <Conversation key={chat} chat={chat} />
}
