import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { findHidden, plainText } from '../../kernel/domain/trust/visible.ts'
import { defineOperation, forPeople } from '../../operations/operation.ts'
import { EVERYBODY, type NoteOwner } from '../domain/note/note-owner.ts'
import { ownerHere } from './memory-scope.ts'

export const memoryWrite = defineOperation({
  name: 'memory_write',
  title: 'Write a note',
  summary: `Save a note to remember in later sessions: a fact you learned, what the user prefers, how something is run. Decisions: ${operationNamed('propose_decision')}. No secrets.`,
  searchHint: 'keep in mind, always, never',
  alwaysLoaded: true,
  details:
    `Decisions belong in ${operationNamed('propose_decision')}. ` +
    'Notes are yours alone: a log per day, or MEMORY.md for what stays true. A note belongs to the project it is ' +
    'written in, and other projects do not see it; `ken note --global` writes one for all of them.',
  forPeople: 'Write a note for later sessions.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['memory'],
  onServer: {},
  positional: ['content'],
  input: {
    content: z.string().min(1).max(200_000),
    target: z
      .enum(['daily', 'memory'])
      .default('daily')
      .describe('Log of the day, or MEMORY.md.')
      .meta(forPeople('daily: the log of today; memory: MEMORY.md.')),
    tags: z.array(z.string().max(64)).max(20).optional(),
    scope: z.enum(['project', 'global']).default('project'),
  },
  output: {
    path: z.string(),
    line: z.number(),
    redacted: z.number().describe('Number of secrets removed.'),
    scope: z.string().describe('Scope: global, a project, or a folder.'),
  },
  examples: [
    {
      title: 'A lasting fact for all projects',
      input: {
        content: 'The staging database is reset every night at 03:00 UTC.',
        target: 'memory',
        tags: ['staging'],
        scope: 'global',
      },
    },
  ],
  async run(ctx, input) {
    if (input.content.trim() === '')
      throw new AppError('invalid_input', 'The note is empty.', { hint: 'Pass the text to remember.' })
    const content = plainText(input.content)
    const hidden = findHidden([content, ...(input.tags ?? [])].join('\n'))
    if (hidden !== undefined)
      throw new AppError('invalid_input', `The note contains ${hidden.name} at character ${hidden.position}.`, {
        hint: 'Remove it.',
      })
    const tags = (input.tags ?? []).map((tag) => tag.replace(/[\s,]+/g, ' ').trim()).filter((tag) => tag !== '')
    const { owner, ...written } = await (
      await ctx.memory()
    ).write({ content, target: input.target, tags, owner: input.scope === 'global' ? EVERYBODY : await ownerHere(ctx) })
    return { ...written, scope: nameOf(owner) }
  },
  render: (output, input) =>
    [
      `Noted for ${output.scope === 'global' ? 'all projects' : output.scope} in ${output.path}:${output.line}.`,
      ...(output.redacted > 0 ? [`${plural(output.redacted, 'secret')} taken out.`] : []),
      ...(input.content.trimEnd().endsWith('?')
        ? [`If somebody should answer it, ${operationNamed('flag_question')} puts it on the project's list.`]
        : []),
    ].join(' '),
})

const nameOf = (owner: NoteOwner): string =>
  owner.kind === 'global' ? 'global' : owner.kind === 'project' ? owner.name : owner.path
