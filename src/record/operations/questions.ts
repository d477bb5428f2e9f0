import { z } from 'zod'
import { nameOrigin } from '../../kernel/domain/origin.ts'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { QUESTIONS } from '../domain/files.ts'
import { isPointer, migrateQuestions, parseQuestions } from '../domain/question.ts'
import type { Store } from '../ports/store.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { recordFields, whose } from './record-fields.ts'

export const questions = defineOperation({
  name: 'questions',
  title: 'Open questions',
  summary: 'List open questions, newest first.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  unlisted: ['as_of'],
  input: { all: z.boolean().default(false).describe('Include resolved questions.'), ...asOfField, ...projectField },
  output: {
    ...recordFields,
    ...asOfOutput,
    questions: z.array(
      z.object({
        id: z.string(),
        body: z.string(),
        asked_at: z.string().optional().describe('When it was flagged, by the journal.'),
        asked_by: z.string().optional().describe('The person and their program.'),
        resolved_by: z.number().optional(),
        resolved_on: z.string().optional(),
      }),
    ),
  },
  examples: [{ title: 'Open ones', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const all = parseQuestions((await store.read(QUESTIONS)) ?? '').filter((q) => !isPointer(q))
    const shown = input.all ? all : all.filter((q) => q.resolvedBy === undefined)
    const asked = await askedIn(store)
    return {
      ...whose(store),
      ...asOfOf(store),
      questions: shown.map((q) => ({
        id: q.id,
        body: q.body,
        ...asked.get(q.id),
        ...(q.resolvedBy && { resolved_by: q.resolvedBy.decision, resolved_on: q.resolvedBy.date }),
      })),
    }
  },
  own: describeAsOf,
  render: (output, _input, view = PLAIN) =>
    table(
      output.questions.map((q) => [q.id, q.body, q.resolved_by ? `(resolved by D${q.resolved_by})` : '']),
      [{ tone: 'title' }, { shrinks: true }, { tone: 'dim' }],
      view,
    ).join('\n') || 'No open questions.',
})

async function askedIn(store: Store): Promise<ReadonlyMap<string, { asked_at: string; asked_by: string }>> {
  const flags = (await store.journal()).filter(({ operation }) => operation === 'flag_question')
  return new Map(
    flags.map(({ at, origin, facts }) => [
      String(facts?.['question']),
      // A journal from elsewhere may have lines without an origin.
      { asked_at: at, asked_by: nameOrigin(origin ?? {}) },
    ]),
  )
}

export const questionsMigrate = defineOperation({
  name: 'questions_migrate',
  title: 'Number old questions',
  summary: 'Give every question without a Q number one.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  input: { dry_run: z.boolean().default(false), ...projectField },
  output: { ...recordFields, migrated: z.array(z.string()), dry_run: z.boolean() },
  examples: [{ title: 'Try it', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    return store.commit(ctx.origin, async (draft) => {
      const { text, migrated } = migrateQuestions((await draft.read(QUESTIONS)) ?? '')
      if (!input.dry_run && migrated.length > 0) {
        draft.write(QUESTIONS, text)
        draft.note('questions_migrate', { migrated })
        draft.snapshot('questions migrate')
      }
      return { ...whose(store), migrated, dry_run: input.dry_run }
    })
  },
  render: (output) =>
    `${output.dry_run ? 'Would number' : 'Numbered'} ${plural(output.migrated.length, 'question')}${output.migrated.length > 0 ? `: ${output.migrated.join(', ')}` : ''}.`,
})
