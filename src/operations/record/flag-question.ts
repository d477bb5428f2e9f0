import { z } from 'zod'
import { fieldNamed } from '../../core/named-operation.ts'
import { flagOrResolve } from '../../record/flag-question.ts'
import { defineOperation, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const flagQuestion = defineOperation({
  name: 'flag_question',
  title: 'Flag or resolve a question',
  summary: `Record a question that a person must answer, or resolve open ones by a decision. Give ${fieldNamed('question')} or ${fieldNamed('resolved_by')}, not both.`,
  forPeople: 'Record an open question, or resolve open ones by a decision.',
  effect: 'write',
  words: 'record',
  positional: ['question'],
  input: {
    question: z.string().optional().describe('The question to flag.'),
    context: z.string().optional().describe('Why it matters.'),
    targets: z
      .array(z.string())
      .max(100)
      .optional()
      .describe('Question ids such as Q3: to resolve, or likely duplicates of a new one.'),
    resolved_by: z.string().optional().describe('Decision that resolves the targets, e.g. D42.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['ok', 'rejected']),
    num: z.number().optional(),
    resolved: z.array(z.string()).optional(),
    hint: z.string().optional(),
    error: z.object({ kind: z.string(), reason: z.string() }).optional(),
  },
  examples: [
    { title: 'A question', input: { question: 'Do we keep audit logs for two years?', context: 'Storage cost' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    return { ...whose(store), ...(await flagOrResolve(ctx, store, input)) }
  },
  own(output) {
    if (output.status === 'rejected') return output.error?.reason ?? 'Rejected.'
    return output.resolved !== undefined
      ? `Resolved: ${output.resolved.join(', ')}.`
      : `Question Q${output.num} flagged.`
  },
  render: (output) => output.hint ?? '',
  exit: (output) => (output.status === 'rejected' ? 4 : 0),
})
