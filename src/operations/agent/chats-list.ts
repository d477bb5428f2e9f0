import { z } from 'zod'
import { shortId } from '../../agent/find-chat.ts'
import { AppError } from '../../core/errors.ts'
import { isPerson } from '../../core/journal/event.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { dated } from '../../core/view/age.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../operation.ts'
import { chatFields, chatShape } from './chat-fields.ts'
import { projectKey } from './project-key.ts'

export const chatsList = defineOperation({
  name: 'chats_list',
  title: 'List chats',
  summary: 'Your chats with the analyst, the newest first; with words, those that hold all of them.',
  details:
    'Those of this project; --all shows those of every folder. Words are looked for in titles and in what was asked and answered. Deleted chats are shown with --deleted.',
  effect: 'read',
  words: 'analyst',
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['words'],
  input: {
    words: z.array(z.string().max(500)).max(50).default([]).describe('Words that the chat holds.'),
    all: z.boolean().default(false).describe('Those of every project and folder.'),
    deleted: z.boolean().default(false).describe('Those that were deleted and can be brought back.'),
    before: z.iso.datetime().max(40).optional().describe('Only older ones: where the list before this one ended.'),
    limit: z.number().int().min(1).max(500).default(20).describe('How many at most.'),
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
      throw new AppError('forbidden', 'A server answers for one project.', { hint: 'Leave all out.' })
    const { chats } = await ctx.analystState()
    const text = input.words.join(' ').trim()
    const found = await chats.list({
      user: ctx.user,
      ...(!input.all && { project: await projectKey(ctx) }),
      ...(text !== '' && { text }),
      ...(input.before !== undefined && { before: input.before }),
      deleted: input.deleted,
      limit: input.limit + 1,
    })
    const shown = found.slice(0, input.limit)
    return {
      chats: shown.map(chatFields),
      ...(found.length > input.limit && { more: shown.at(-1)!.deletedAt ?? shown.at(-1)!.updatedAt }),
    }
  },
  own(output, input) {
    if (output.chats.length > 0) return ''
    if (input.words.length > 0) return 'No chat holds all of these words.'
    if (input.deleted) return 'No chat was deleted.'
    return `There is no chat here yet. ${operationNamed('ask')} begins one.`
  },
  render(output, input, view = PLAIN) {
    const lines = table(
      output.chats.map((chat) => [
        shortId(chat.id),
        dated(chat.deleted_at ?? chat.updated_at, view),
        chat.starred ? '★' : '',
        chat.title,
        input.all ? chat.folder : '',
      ]),
      [{ tone: 'dim' }, { tone: 'dim' }, { tone: 'warning' }, { shrinks: true, tone: 'title' }, { tone: 'dim' }],
      view,
    )
    return [...lines, ...(output.more === undefined ? [] : ['', `Older ones: --before ${output.more}`])].join('\n')
  },
})
