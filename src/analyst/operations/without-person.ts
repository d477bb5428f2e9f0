import type { Context } from '../../operations/context.ts'
import type { ChatEvent } from '../domain/chat/event.ts'

/** Where nobody can be asked while an answer is written, a call that waits for a person's yes gets a no. */
export function withoutPerson({ turns }: Partial<Pick<Context, 'turns'>>): NonNullable<Context['hear']> {
  let chat = ''
  return (event: ChatEvent) => {
    if (event.type === 'message') chat = event.message.chat
    if (event.type === 'part' && event.part.kind === 'approval') return turns?.settle(chat, event.part.call, 'no')
    return undefined
  }
}
