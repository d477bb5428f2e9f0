import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { defineOperation } from '../../operations/operation.ts'

export const clarify = defineOperation({
  name: 'clarify',
  title: 'Ask a clarifying question',
  summary:
    'Ask the person one question where theirs has readings with different answers. Ends the turn; the answer comes next.',
  searchHint: 'ambiguous, which one',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['question'],
  hiddenFrom: { http: 'Only the analyst asks, in a turn of its own.' },
  input: {
    question: z.string().min(1).max(1_000),
    options: z.array(z.string().min(1).max(200)).max(5).optional().describe('The readings, up to five.'),
  },
  output: { question: z.string(), options: z.array(z.string()) },
  examples: [
    { title: 'Which revenue', input: { question: 'Revenue before or after refunds?', options: ['before', 'after'] } },
  ],
  async run(ctx, input) {
    if (ctx.turn === undefined) throw noTurn()
    const question = visibleLine(input.question)
    const options = (input.options ?? []).map((option) => visibleLine(option))
    await ctx.turn.add({ kind: 'question', question, options })
    return { question, options }
  },
  render: () => 'The person is asked. End your turn now; their answer comes as the next message.',
})

export const noTurn = (): AppError =>
  new AppError('invalid_input', 'Only available while the analyst answers.', {
    hint: 'Ask a question first.',
  })
