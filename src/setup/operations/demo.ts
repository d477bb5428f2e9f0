import { z } from 'zod'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { seedDemo } from '../../record/demo-record.ts'
import { checkDecision } from '../../record/operations/check-decision.ts'
import { startRecord } from '../../record/start-record.ts'

const CONFLICTING = 'Move background jobs to RabbitMQ so that workers scale on their own'
const UNRELATED = 'Choose a font for the printed Christmas cards'

export const demo = defineOperation({
  name: 'demo',
  title: 'See Ken at work',
  summary: 'Try Ken on an example record in a temporary folder.',
  details:
    'At a terminal it then serves the web app with a larger example (a warehouse, agent sessions, chats and tests) until Ctrl-C; with --once, or with output to a file or pipe, it ends before that.',
  effect: 'write',
  words: 'own',
  needs: ['record'],
  hiddenFrom: AT_A_TERMINAL,
  input: { once: z.boolean().default(false).describe('Exit without starting the web app.') },
  output: {
    decisions: z.number(),
    proposal: z.string(),
    answer: z.string(),
    unrelated: z.object({ proposal: z.string(), answer: z.string() }),
  },
  examples: [{ title: 'In a temporary folder', input: {} }],
  async run(ctx) {
    const project = await ctx.projects.create({ name: 'Orchard (demo)', mode: 'local', repository: undefined })
    const store = await ctx.record(project)
    await startRecord(ctx, store)
    await seedDemo(ctx, store)
    const ask = async (proposed_approach: string) => {
      const input = { proposed_approach, project_id: project.id }
      const output = await checkDecision.run(ctx, input)
      return {
        proposal: proposed_approach,
        answer: checkDecision.render({ ...output, related_decisions: output.related_decisions.slice(0, 2) }, input),
      }
    }
    const { decisions } = await store.catalogue()
    const { proposal, answer } = await ask(CONFLICTING)
    return {
      decisions: decisions.length,
      proposal,
      answer,
      unrelated: await ask(UNRELATED),
    }
  },
  render: (output) =>
    [
      `An example record of ${output.decisions} decisions, in a temporary folder that is gone again.`,
      '',
      `$ ken check "${output.proposal}"`,
      output.answer,
      '',
      `$ ken check "${output.unrelated.proposal}"`,
      output.unrelated.answer,
      '',
      'Now for your own project:',
      '  npx kenbase init               start a record in the repository you are in',
      '  npx kenbase setup claude-code  connect an agent; it checks before it proposes',
    ].join('\n'),
})
