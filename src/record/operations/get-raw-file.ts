import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { markMarkdown } from '../../kernel/domain/view/mark-markdown.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { momentText } from '../domain/as-of.ts'
import { fileTrust, textLost } from '../read-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { pageOf } from './page-of.ts'
import { recordFields, whose } from './record-fields.ts'

const MOST_NAMED = 20

export const getRawFile = defineOperation({
  name: 'get_raw_file',
  title: 'Read a record file',
  summary: `Read one Markdown file of the project record as it is. Only for what ${operationNamed('get_context')} and ${operationNamed('get_decision')} leave out.`,
  forPeople: 'Print one record file as raw Markdown.',
  searchHint: 'record file: project.md, stack.md',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  isText: true,
  positional: ['path'],
  unlisted: ['from', 'as_of'],
  input: {
    path: z.string().min(1).max(500).meta(forPeople('E.g. project.md or decisions/042-use-postgres.md.')),
    from: z.number().int().min(0).default(0).describe('Characters to skip.'),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    path: z.string(),
    content: z.string(),
    characters: z.number().describe('Characters of the whole file; an answer has up to 40,000.'),
  },
  examples: [{ title: 'The project description', input: { path: 'project.md' } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const files = await store.list()
    const content = files.includes(input.path) ? await store.read(input.path) : undefined
    if (content !== undefined)
      return {
        ...whose(store),
        ...asOfOf(store),
        trust: await fileTrust(store, input.path),
        path: input.path,
        content: pageOf(ctx, content, input),
        characters: content.length,
      }
    if (store.asOf?.unknown.includes(input.path)) throw textLost(input.path, store.asOf)
    // Read through the store first, to distinguish a path outside the record from a missing one.
    await store.read(input.path)
    const available = files.slice(0, MOST_NAMED)
    const then = store.asOf === undefined ? 'has' : `as of ${momentText(store.asOf.at)} has`
    throw new AppError('not_found', `The record ${then} no file ${input.path}.`, {
      hint:
        files.length === 0
          ? (store.asOf?.notes.join(' ') ?? 'It has no files yet.')
          : `Available: ${available.join(', ')}${files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''}.`,
      details: { available_files: available },
    })
  },
  own: describeAsOf,
  render: (output, _input, view = PLAIN) => markMarkdown(output.content, view),
})
