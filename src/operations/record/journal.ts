import { z } from 'zod'
import { HASHES } from '../../core/record/files.ts'
import { dated } from '../../core/view/age.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const journal = defineOperation({
  name: 'journal',
  title: 'Read the journal',
  summary: 'Who changed the record, when and through what; newest first.',
  effect: 'read',
  words: 'record',
  hiddenFrom: FOR_PEOPLE,
  input: { limit: z.number().int().min(1).max(100_000).default(20), ...projectField },
  output: {
    ...recordFields,
    total: z.number(),
    events: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        operation: z.string(),
        origin: z.record(z.string(), z.unknown()),
        facts: z.record(z.string(), z.unknown()),
        files: z.record(z.string(), z.string().nullable()),
      }),
    ),
  },
  examples: [{ title: 'The newest', input: { limit: 5 } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const events = await store.journal()
    const newest = events.slice(-input.limit).reverse()
    return {
      ...whose(store),
      total: events.length,
      events: newest.map((e) => ({
        id: e.id,
        at: e.at,
        operation: e.operation,
        origin: { ...e.origin },
        facts: { ...e.facts },
        files: { ...e.files },
      })),
    }
  },
  render: (output, _input, view = PLAIN) =>
    table(
      output.events.map((e) => [
        view.now === undefined ? e.at.slice(0, 19) : dated(e.at, view),
        e.operation,
        [e.origin['surface'], e.origin['client']].filter(Boolean).join(' '),
        // It goes with every decision and says nothing to a person.
        named(Object.keys(e.files).filter((path) => path !== HASHES || view.reader !== 'person')),
      ]),
      [{ tone: 'dim' }, { tone: 'title' }, {}, { shrinks: true, tone: 'dim' }],
      view,
    ).join('\n') || 'Nothing in the journal yet.',
})

const MOST_NAMED = 10

const named = (paths: readonly string[]): string =>
  paths.length <= MOST_NAMED
    ? paths.join(', ')
    : `${paths.slice(0, MOST_NAMED).join(', ')} and ${paths.length - MOST_NAMED} more`
