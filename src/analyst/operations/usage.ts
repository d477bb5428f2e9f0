import { z } from 'zod'
import { addUsage, NO_USAGE } from '../../kernel/domain/model-usage.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { inDollars } from '../domain/chat/in-dollars.ts'
import type { ModelCall } from '../ports/model-calls.ts'
import { projectKey } from './project-key.ts'
import { budgetsHere } from './within-budget.ts'

const sum = {
  calls: z.number(),
  failed: z.number(),
  input: z.number().describe('Tokens.'),
  output: z.number(),
  cached: z.number().describe('Input tokens from the provider’s cache.'),
  reasoning: z.number().describe('Output tokens for reasoning.'),
  cost: z.number().optional().describe('In US dollars, for calls with a known price.'),
  without_price: z.number().describe('Calls with an unknown price.'),
}
const group = z.object({ name: z.string(), ...sum })
type Sum = Omit<z.output<typeof group>, 'name'>

export const usage = defineOperation({
  name: 'usage',
  title: 'Tokens and costs',
  summary: 'Show model tokens and costs by day, model and purpose.',
  details: 'All of your projects, or this one with --here, as a server always does. Days are those of UTC.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    days: z.number().int().min(1).max(3660).default(30).describe('Days to look back.'),
    here: z.boolean().default(false).describe('Only of this project.'),
  },
  output: {
    since: z.string(),
    total: z.object(sum),
    days: z.array(group),
    models: z.array(group),
    purposes: z.array(group),
    budgets: z
      .array(z.object({ of: z.enum(['person', 'project']), most: z.number(), spent: z.number() }))
      .describe('Budget and spending of this month, in US dollars, for the budgets that are set.'),
  },
  examples: [
    { title: 'The last 30 days', input: {} },
    { title: 'A week in this project', input: { days: 7, here: true } },
  ],
  async run(ctx, input) {
    const today = Date.parse(ctx.clock.now().toISOString().slice(0, 10))
    const since = new Date(today - (input.days - 1) * 86_400_000).toISOString()
    const { calls } = await ctx.analystState()
    const found = await calls.list({
      user: ctx.user,
      since,
      ...((input.here || !isPerson(ctx.origin)) && { project: await projectKey(ctx) }),
    })
    return {
      since,
      total: sumOf(found),
      days: grouped(found, ({ at }) => at.slice(0, 10)).sort((a, b) => (a.name < b.name ? -1 : 1)),
      models: grouped(found, ({ model }) => model).sort(byCost),
      purposes: grouped(found, ({ purpose }) => purpose).sort(byCost),
      budgets: (await budgetsHere(ctx)).map((budget) => ({ ...budget })),
    }
  },
  render(output, input, view = PLAIN) {
    if (output.total.calls === 0)
      return `No model was asked anything in the last ${input.days} days. ${operationNamed('ask')} asks one.`
    const section = (title: string, groups: readonly z.output<typeof group>[]): string[] => [
      '',
      view.mark('title', title),
      ...rows(groups, view),
    ]
    return [
      ...rows([{ name: `Since ${output.since.slice(0, 10)}`, ...output.total }], view),
      ...section('By day', output.days),
      ...section('By model', output.models),
      ...section('By purpose', output.purposes),
      ...output.budgets.map(
        ({ of, most, spent }) =>
          `\n${of === 'person' ? 'Your budget' : 'The budget of this project'} for this month: ${inDollars(spent)} of ${inDollars(most)}`,
      ),
    ].join('\n')
  },
})

function grouped(calls: readonly ModelCall[], by: (call: ModelCall) => string): z.output<typeof group>[] {
  const groups = Map.groupBy(calls, by)
  return [...groups].map(([name, own]) => ({ name, ...sumOf(own) }))
}

function sumOf(calls: readonly ModelCall[]): Sum {
  return {
    calls: calls.length,
    failed: calls.filter(({ failed }) => failed).length,
    ...calls.reduce((total, call) => addUsage(total, call.usage), NO_USAGE),
    without_price: calls.filter((call) => call.usage.cost === undefined).length,
  }
}

const byCost = (a: Sum, b: Sum): number => (b.cost ?? 0) - (a.cost ?? 0) || b.input - a.input

const rows = (groups: readonly z.output<typeof group>[], view: View): string[] =>
  table(
    groups.map((one) => [
      one.name,
      `${one.calls} calls${one.failed > 0 ? `, ${one.failed} failed` : ''}`,
      `${one.input.toLocaleString('en')} in`,
      `${one.output.toLocaleString('en')} out`,
      one.cost === undefined ? 'price not known' : `${inDollars(one.cost)}${one.without_price > 0 ? ' and more' : ''}`,
    ]),
    [{ shrinks: true }, { align: 'right' }, { align: 'right' }, { align: 'right' }, { align: 'right' }],
    view,
    '  ',
  )
