import { z } from 'zod'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { defineOperation } from '../../operations/operation.ts'
import { noTurn } from './clarify.ts'

export const suggestFollowUps = defineOperation({
  name: 'suggest_follow_ups',
  title: 'Suggest what to ask next',
  summary: 'Offer the person one to three questions that lead on from the answer. Call it last; it ends the turn.',
  searchHint: 'next questions',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['questions'],
  hiddenFrom: { http: 'Only the analyst suggests, in a turn of its own.' },
  input: { questions: z.array(z.string().min(1).max(300)).min(1).max(5) },
  output: { questions: z.array(z.string()) },
  examples: [{ title: 'Two', input: { questions: ['How was it last year?', 'Which customers left?'] } }],
  async run(ctx, input) {
    if (ctx.turn === undefined) throw noTurn()
    const questions = input.questions.slice(0, 3).map((question) => visibleLine(question))
    await ctx.turn.add({ kind: 'follow_ups', questions })
    return { questions }
  },
  render: () => 'They are shown below the answer.',
})
