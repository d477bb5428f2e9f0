import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { Chat } from '../domain/chat/chat.ts'
import { shortId } from '../find-chat.ts'
import { chatFields, chatShape } from './chat-fields.ts'
import { projectKey } from './project-key.ts'

export const chatsList = defineOperation({
  name: 'chats_list',
  title: 'List chats',
  summary: 'List your chats, newest first; with words, only chats that contain them.',
  details:
    'Lists the chats of this project; --all lists those of every folder. Words are searched in titles, questions and answers. --deleted lists deleted chats.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['words'],
  input: {
    words: z.array(z.string().max(500)).max(50).default([]).describe('Words the chat contains.'),
    all: z.boolean().default(false).describe('Chats of every project and folder.'),
    deleted: z.boolean().default(false).describe('Deleted chats that can be restored.'),
    whose: z.enum(['all', 'own', 'shared']).default('all').describe('On a team server: yours, or shared with you.'),
    before: z.iso
      .datetime()
      .max(40)
      .optional()
      .describe('Only older chats than this position (the end of the previous list).'),
    limit: z.number().int().min(1).max(500).default(20).describe('Maximum number.'),
  },
  output: {
    chats: z.array(chatShape),
    more: z.string().optional().describe('Give it as before for the next ones.'),
  },
  examples: [
    { title: 'The newest', input: {} },
    { title: 'By words', input: { words: ['orders'] } },
    { title: 'Deleted ones', input: { deleted: true } },
  ],
  async run(ctx, input) {
    if (input.all && !isPerson(ctx.origin))
      throw new AppError('forbidden', 'A server serves one project.', { hint: 'Omit all.' })
    const { chats, shares } = await ctx.analystState()
    const text = input.words.join(' ').trim()
    const wanted = {
      ...(text !== '' && { text }),
      ...(input.before !== undefined && { before: input.before }),
      limit: input.limit + 1,
    }
    const project = input.all ? {} : { project: await projectKey(ctx) }
    const [own, shared] = await Promise.all([
      input.whose === 'shared' ? [] : chats.list({ user: ctx.user, ...project, ...wanted, deleted: input.deleted }),
      input.whose === 'own' || input.deleted ? [] : (shares?.chats(wanted) ?? []),
    ])
    const found = shared.length === 0 ? own : [...own, ...shared].sort(byTime)
    const shown = found.slice(0, input.limit)
    return {
      chats: await chatFields(ctx, shown),
      ...(found.length > input.limit && { more: shown.at(-1)!.deletedAt ?? shown.at(-1)!.updatedAt }),
    }
  },
  own(output, input) {
    if (output.chats.length > 0) return ''
    if (input.words.length > 0) return 'No chat holds all of these words.'
    if (input.deleted) return 'No chat was deleted.'
    if (input.whose === 'shared') return 'Nobody shares a chat with you here.'
    return `${noneYet('chats')} Start one with ${operationNamed('ask')}.`
  },
  render(output, input, view = PLAIN) {
    const lines = table(
      output.chats.map((chat) => [
        shortId(chat.id),
        dated(chat.deleted_at ?? chat.updated_at, view),
        chat.starred ? '★' : '',
        chat.title,
        chat.owner === undefined ? (input.all ? chat.folder : '') : `shared by ${chat.owner.name}`,
      ]),
      [{ tone: 'dim' }, { tone: 'dim' }, { tone: 'warning' }, { shrinks: true, tone: 'title' }, { tone: 'dim' }],
      view,
    )
    return [...lines, ...(output.more === undefined ? [] : ['', `Older ones: --before ${output.more}`])].join('\n')
  },
})

const byTime = (a: Chat, b: Chat): number => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0)
