import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { unifiedDiff } from '../../kernel/domain/text/unified-diff.ts'
import { plainText } from '../../kernel/domain/trust/visible.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { questionNumber } from '../domain/question.ts'
import { refuseFromClone } from '../refuse-from-clone.ts'
import { conflictsIn, settleConflict } from '../resolve-conflict.ts'
import { recordFields, whose } from './record-fields.ts'

export const conflicts = defineOperation({
  name: 'conflicts',
  title: 'Open conflicts',
  summary: 'List files that two machines changed in ways that cannot be joined, with both texts.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    conflicts: z.array(
      z.object({
        question: z.string(),
        path: z.string(),
        standing: z.string().describe('The text in force until the conflict is resolved.'),
        other: z.string(),
        kept: z.string().describe('The file with the other text.'),
        hash: z.string().describe('SHA-256 of the standing text.'),
      }),
    ),
  },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    return { ...whose(store), conflicts: await conflictsIn(store) }
  },
  render: (output) =>
    output.conflicts
      .map(({ question, path, kept, standing, other }) =>
        [`${question} ${path}`, unifiedDiff(standing, other, { before: path, after: kept })].join('\n'),
      )
      .join('\n\n') || 'No open conflicts.',
})

export const resolveConflict = defineOperation({
  name: 'resolve_conflict',
  title: 'Resolve a conflict',
  summary: 'Resolve a conflict with the standing text, the other text or your own.',
  details:
    'Writes the text and closes the question, as one change that `ken undo` takes back. The other text stays in context/. A question about a decision is resolved by that decision.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['question'],
  input: {
    question: z.string().min(1).max(20).describe('Its question, e.g. Q3.'),
    keep: z.enum(['standing', 'other']).optional().describe('One of the two texts.'),
    text: z.string().max(1_048_576).optional().describe('The whole text, merged by you.'),
    expects: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('SHA-256 of the standing text; refused if it has changed since.'),
    ...projectField,
  },
  output: { ...recordFields, question: z.string(), path: z.string(), changed: z.boolean() },
  examples: [{ title: 'Take the other text', input: { question: 'Q3', keep: 'other' } }],
  async run(ctx, input) {
    if ((input.keep === undefined) === (input.text === undefined))
      throw new AppError('invalid_input', 'Give either `keep` or `text`.', {
        hint: 'E.g. `ken conflicts resolve Q3 --keep other`.',
      })
    const store = await ctx.record(input.project_id)
    refuseFromClone(store)
    const question = `Q${questionNumber(input.question) ?? input.question}`
    const { path, standing, text } = await settleConflict(ctx, store, {
      question,
      take: input.keep ?? { text: plainText(input.text!) },
      expects: input.expects,
    })
    return { ...whose(store), question, path, changed: text !== standing }
  },
  render: ({ question, path, changed }) =>
    changed ? `Resolved ${question}: wrote ${path}.` : `Resolved ${question}: ${path} stays as it is.`,
})
