import type { Context } from '../../operations/context.ts'
import type { ChatEvent } from '../domain/chat/event.ts'

/** Denies calls that need approval if there is no user to ask while an answer is written. */
export function withoutPerson({ turns }: Partial<Pick<Context, 'turns'>>): NonNullable<Context['hear']> {
  let chat = ''
  return (event: ChatEvent) => {
    if (event.type === 'message') chat = event.message.chat
    if (event.type === 'part' && event.part.kind === 'approval') return turns?.settle(chat, event.part.call, 'no')
    return undefined
  }
}
