import { z } from 'zod'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { bringsBackField, bringsBackText } from '../brings-back.ts'
import { flagOrResolve } from '../flag-question.ts'
import { recordFields, whose } from './record-fields.ts'

export const flagQuestion = defineOperation({
  name: 'flag_question',
  title: 'Flag or resolve a question',
  summary: `Put a question that only a person can settle on the list of open questions, or close one that a decision answered (${fieldNamed('targets')}, ${fieldNamed('resolved_by')}).`,
  searchHint: 'undecided, unclear',
  forPeople: 'Record an open question, or resolve questions with a decision.',
  effect: 'write',
  fromPage: 'free',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['question'],
  input: {
    question: z.string().optional().meta(forPeople('The question to flag.')),
    context: z.string().optional().meta(forPeople('Why it matters.')),
    targets: z
      .array(z.string())
      .max(100)
      .optional()
      .describe('E.g. Q3.')
      .meta(forPeople('Question ids such as Q3: to resolve, or likely duplicates of a new one.')),
    resolved_by: z
      .string()
      .optional()
      .describe('E.g. D42.')
      .meta(forPeople('Decision that resolves the targets, e.g. D42.')),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['ok', 'rejected']),
    num: z.number().optional(),
    resolved: z.array(z.string()).optional(),
    hint: z.string().optional(),
    brings_back: bringsBackField.optional(),
    error: z.object({ kind: z.string(), reason: z.string() }).optional(),
  },
  examples: [
    { title: 'A question', input: { question: 'Do we keep audit logs for two years?', context: 'Storage cost' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const outcome = await flagOrResolve(ctx, store, input)
    return { ...whose(store, outcome.brings_back), ...outcome }
  },
  own(output) {
    if (output.status === 'rejected') return output.error?.reason ?? 'Rejected.'
    return output.resolved !== undefined
      ? `Resolved: ${output.resolved.join(', ')}.`
      : `Question Q${output.num} flagged.`
  },
  render: (output) => [output.hint ?? '', bringsBackText(output.brings_back)].filter(Boolean).join('\n'),
  exit: (output) => (output.status === 'rejected' ? 4 : 0),
})
