import { AppError } from '../kernel/domain/errors.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import { noneYet } from '../kernel/domain/phrases.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Chat } from './domain/chat/chat.ts'
import type { Chats } from './ports/chats.ts'

/** Short chat id for lists: the part that encodes the time. Chats created in the same millisecond share it. */
export const shortId = (id: string): string => id.slice(0, 10)

/**
 * Resolves a chat: `last` for the project's newest chat, an id, or the beginning of an id. `last` is searched among
 * deleted chats if requested; an id is searched among all.
 */
export async function findChat(
  chats: Chats,
  name: string,
  { user, project, deleted = false }: { user: string; project: string; deleted?: boolean },
): Promise<Chat> {
  const wanted = name.trim()
  if (wanted.toLowerCase() === 'last') {
    const [last] = await chats.list({ user, project, deleted, limit: 1 })
    if (last === undefined)
      throw new AppError('not_found', deleted ? 'No deleted chats.' : noneYet('chats'), {
        hint: deleted ? `List chats with ${operationNamed('chats_list')}.` : `Start one with ${operationNamed('ask')}.`,
      })
    return last
  }
  const exact = (await chats.find(wanted, user)) ?? (await chats.find(wanted.toUpperCase(), user))
  if (exact !== undefined) return exact
  const found = await withPrefix(chats, wanted.toUpperCase(), user)
  if (found.length > 1)
    throw new AppError('invalid_input', `Several chats start with ${visibleLine(wanted)}.`, {
      hint: `Use more of the id: ${found
        .slice(0, 3)
        .map(({ id }) => id)
        .join(', ')}.`,
    })
  if (found[0] === undefined) throw noSuchChat(wanted)
  return found[0]
}

const noSuchChat = (name: string): AppError =>
  new AppError('not_found', `No chat ${visibleLine(name).slice(0, 100)}.`, {
    hint: `List chats with ${operationNamed('chats_list')}.`,
  })

async function withPrefix(chats: Chats, prefix: string, user: string): Promise<readonly Chat[]> {
  if (!/^[0-9A-Z]{1,26}$/.test(prefix)) return []
  const [kept, deleted] = await Promise.all([
    chats.list({ user, prefix, limit: 4 }),
    chats.list({ user, prefix, deleted: true, limit: 4 }),
  ])
  return [...kept, ...deleted]
}
