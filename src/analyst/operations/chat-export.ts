import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { redactDeep } from '../../kernel/domain/secrets/redact-deep.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { inertMarkdown } from '../../kernel/domain/text/inert-markdown.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readTranscript, transcript } from '../transcript.ts'
import { chatFields } from './chat-fields.ts'
import { chatField, readableChat } from './chat-named.ts'

export const chatExport = defineOperation({
  name: 'chat_export',
  title: 'Export a chat',
  summary: 'Export a chat as Markdown, or as JSON with every step.',
  details:
    'An existing file is kept unless --force is given. Images are named, not included, and external links are plain text: opening the file loads nothing.',
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat', 'file'],
  input: {
    chat: chatField.default('last'),
    file: z.string().max(4096).optional().describe('Output file; default: standard output.'),
    format: z
      .enum(['markdown', 'json'])
      .optional()
      .describe('Output format; default: by the file extension, else Markdown.'),
    force: z.boolean().default(false).describe('Replace an existing file.'),
  },
  output: {
    id: z.string(),
    format: z.enum(['markdown', 'json']),
    file: z.string().optional(),
    text: z.string().optional(),
  },
  examples: [
    { title: 'The last one as Markdown', input: {} },
    { title: 'With every step', input: { chat: 'last', format: 'json' } },
  ],
  async run(ctx, input) {
    if (input.file !== undefined && ctx.origin.surface !== 'cli')
      throw new AppError('forbidden', 'Files can only be written from a terminal.', {
        hint: 'Omit file; the answer contains the text.',
      })
    const { chat, log } = await readableChat(ctx, input.chat, 'any')
    const messages = redactDeep(await readTranscript({ log }, chat.id)).value
    const format = input.format ?? (input.file?.toLowerCase().endsWith('.json') ? 'json' : 'markdown')
    const text =
      format === 'json'
        ? `${JSON.stringify({ chat: redactDeep((await chatFields(ctx, [chat]))[0]).value, messages }, null, 2)}\n`
        : inertMarkdown(redactSecrets(`${transcript(chat, messages, { ...PLAIN, verbose: false })}\n`).text)
    if (input.file === undefined) return { id: chat.id, format, text }
    await write(ctx, input.file, text, input.force)
    return { id: chat.id, format, file: input.file }
  },
  isProse: () => false,
  holdsFile: ['text'],
  isText: true,
  render: ({ text, file }) => text ?? `Wrote ${file}.`,
})

async function write(ctx: Given, file: string, text: string, replace: boolean): Promise<void> {
  try {
    const { files, pathNamed } = machineOf(ctx)
    await files.write(pathNamed(file), new TextEncoder().encode(text), { replace })
  } catch (error) {
    if (replace || !(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', error.message, {
      hint: `Choose another file, or replace it with ${fieldNamed('force')}.`,
    })
  }
}
