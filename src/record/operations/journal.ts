import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { HASHES } from '../domain/files.ts'
import type { JournalEvent } from '../domain/journal/event.ts'
import { recordFields, whose } from './record-fields.ts'

export const journal = defineOperation({
  name: 'journal',
  title: 'Read the journal',
  summary: 'List who changed the record and when, newest first.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  input: {
    limit: z.number().int().min(1).max(100_000).default(20),
    by_day: z.boolean().default(false).describe('Only counts per day; --limit counts days.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    total: z.number().describe('Events.'),
    days: z
      .array(z.object({ day: z.string(), events: z.number(), decisions: z.number(), commit: z.string().optional() }))
      .optional()
      .describe('With the last commit of the repository that a change names.'),
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
  examples: [
    { title: 'The newest', input: { limit: 5 } },
    { title: 'On which days something changed', input: { by_day: true } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const events = await store.journal()
    if (input.by_day)
      return { ...whose(store), total: events.length, days: daysOf(events).slice(0, input.limit), events: [] }
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
    (output.days && table(output.days.map(dayCells), [{ tone: 'dim' }, {}, {}, { tone: 'dim' }], view).join('\n')) ||
    table(
      output.events.map((e) => [
        view.now === undefined ? e.at.slice(0, 19) : dated(e.at, view),
        e.operation,
        [e.origin['surface'], e.origin['client']].filter(Boolean).join(' '),
        // The hash index changes with every decision and means nothing to a person.
        named(Object.keys(e.files).filter((path) => path !== HASHES || view.reader !== 'person')),
      ]),
      [{ tone: 'dim' }, { tone: 'title' }, {}, { shrinks: true, tone: 'dim' }],
      view,
    ).join('\n') ||
    'Nothing in the journal yet.',
})

interface Day {
  readonly day: string
  readonly events: number
  readonly decisions: number
  readonly commit?: string | undefined
}

const dayCells = ({ day, events, decisions, commit }: Day): string[] => [
  day,
  plural(events, 'change'),
  decisions === 0 ? '' : plural(decisions, 'decision'),
  commit?.slice(0, 7) ?? '',
]

/** Newest first; days in UTC, as `as_of` reads them. */
function daysOf(events: readonly JournalEvent[]): Day[] {
  const groups = Map.groupBy(events, ({ at }) => at.slice(0, 10))
  return [...groups]
    .map(([day, group]) => {
      const commit = group.findLast(({ facts }) => typeof facts?.['base_commit'] === 'string')?.facts['base_commit']
      return {
        day,
        events: group.length,
        decisions: new Set(group.flatMap(({ files }) => Object.keys(files ?? {}).filter(isDecision))).size,
        ...(typeof commit === 'string' && { commit }),
      }
    })
    .sort((a, b) => (a.day < b.day ? 1 : -1))
}

const isDecision = (path: string): boolean => path.startsWith('decisions/') && path.endsWith('.md')

const MOST_NAMED = 10

const named = (paths: readonly string[]): string =>
  paths.length <= MOST_NAMED
    ? paths.join(', ')
    : `${paths.slice(0, MOST_NAMED).join(', ')} and ${paths.length - MOST_NAMED} more`
