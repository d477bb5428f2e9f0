import { z } from 'zod'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { flagQuestion } from './flag-question.ts'
import { proposeDecision } from './propose-decision.ts'

export const jot = defineOperation({
  name: 'jot',
  title: 'Jot down a decision or question',
  summary: 'Record a decision or, if it ends in a question mark, a question.',
  details: 'A decision needs a reason: pass --rationale. The same checks apply as to `ken propose`.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  positional: ['text'],
  input: {
    text: z.string().min(1).describe('The decision or question.'),
    rationale: z.string().optional().describe('Why; needed for a decision.'),
    confidence: z.enum(['high', 'medium', 'low']).default('medium'),
    ...projectField,
  },
  output: {
    kind: z.enum(['question', 'decision']),
    status: z.string(),
    id: z.string().optional(),
    message: z.string(),
  },
  examples: [{ title: 'A question', input: { text: 'Do we need audit logs?' } }],
  async run(ctx, input) {
    const project = { project_id: input.project_id }
    if (input.text.trim().endsWith('?')) {
      const output = await flagQuestion.run(ctx, { question: input.text, ...project })
      return {
        kind: 'question' as const,
        status: output.status,
        ...(output.num && { id: `Q${output.num}` }),
        message: [
          flagQuestion.own(output, { question: input.text }),
          flagQuestion.render(output, { question: input.text }),
        ]
          .filter(Boolean)
          .join(' '),
      }
    }
    const proposal = {
      title: input.text,
      rationale: input.rationale ?? '',
      operation: 'add' as const,
      dry_run: false,
      confidence: input.confidence,
      ...project,
    }
    const output = await proposeDecision.run(ctx, proposal)
    return {
      kind: 'decision' as const,
      status: output.status,
      ...(output.decision_id && { id: output.decision_id }),
      message: [proposeDecision.own(output, proposal), proposeDecision.render(output, proposal)]
        .filter(Boolean)
        .join('\n\n'),
    }
  },
  render: (output) => output.message,
  exit: (output) => (output.status === 'rejected' ? 4 : 0),
})
