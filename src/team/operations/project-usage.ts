import { z } from 'zod'
import { inDollars } from '../../analyst/domain/chat/in-dollars.ts'
import { isAdminHere } from '../../analyst/operations/is-admin-here.ts'
import { ownerNames, ownerShape } from '../../analyst/operations/owner-names.ts'
import { budgetsHere } from '../../analyst/operations/within-budget.ts'
import type { UsageOfDay } from '../../analyst/ports/oversight.ts'
import { nearlySpent } from '../../kernel/domain/budget.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { namedProject } from './named-in-team.ts'

const sum = {
  questions: z.number().describe('Includes chats that are not permanently deleted.'),
  calls: z.number(),
  failed: z.number(),
  input: z.number().describe('Tokens.'),
  output: z.number(),
  cost: z.number().describe('In US dollars, for calls with a known price.'),
  without_price: z.number().describe('Calls with an unknown price.'),
}
const sumShape = z.object(sum)
type Sum = z.output<typeof sumShape>
const dayShape = z.object({ day: z.string(), model: z.string(), ...sum })

export const projectUsage = defineOperation({
  name: 'project_usage',
  title: 'Usage of a project',
  summary: 'Show model usage by day and model, with budgets; admins see everyone’s.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { days: z.number().int().min(1).max(366).default(30).describe('Days to look back (UTC).') },
  output: {
    since: z.string(),
    you: sumShape,
    project: sumShape,
    own_days: z.array(dayShape).describe('Yours.'),
    days: z.array(dayShape).describe('Project totals.'),
    people: z
      .array(z.object({ person: ownerShape, ...sum, days: z.array(dayShape) }))
      .optional()
      .describe('Usage of everyone, most expensive first; for project admins.'),
    budgets: z
      .array(z.object({ of: z.enum(['person', 'project']), most: z.number(), spent: z.number() }))
      .describe('Budget and spending of this month, in US dollars, for the budgets that are set.'),
    warnings: z.array(z.string()).describe('Warnings about nearly used budgets.'),
  },
  examples: [{ title: 'The last 30 days', input: {} }],
  async run(ctx, { days }) {
    const today = Date.parse(ctx.clock.now().toISOString().slice(0, 10))
    const since = new Date(today - (days - 1) * 86_400_000).toISOString()
    const project = await namedProject(ctx, undefined)
    const [rows, isAdmin, budgets] = await Promise.all([
      ctx.oversight().then((oversight) => oversight.usage(since)),
      isAdminHere(ctx, project.id),
      budgetsHere(ctx),
    ])
    const own = rows.filter(({ person }) => person === ctx.user)
    return {
      since,
      you: sumOf(own),
      project: sumOf(rows),
      own_days: byDay(own),
      days: byDay(rows),
      ...(isAdmin && { people: await byPerson(ctx, rows) }),
      budgets: budgets.map((budget) => ({ ...budget })),
      warnings: [...nearlySpent(budgets)],
    }
  },
  render(output, _input, view = PLAIN) {
    const line = (name: string, { questions, input, output: out, cost, failed }: Sum): string[] => [
      name,
      `${questions} questions`,
      `${(input + out).toLocaleString('en')} tokens`,
      inDollars(cost),
      failed > 0 ? `${failed} failed` : '',
    ]
    const rows = [
      line('You', output.you),
      line('The project', output.project),
      ...(output.people ?? []).map(({ person, ...own }) => line(person.name, own)),
    ]
    return [
      ...table(rows, [{ shrinks: true }, { align: 'right' }, { align: 'right' }, { align: 'right' }, {}], view),
      ...output.warnings,
    ].join('\n')
  },
})

const NONE: Sum = { questions: 0, calls: 0, failed: 0, input: 0, output: 0, cost: 0, without_price: 0 }

const sumOf = (rows: readonly UsageOfDay[]): Sum =>
  rows.reduce(
    (total, row) => ({
      questions: total.questions + row.questions,
      calls: total.calls + row.calls,
      failed: total.failed + row.failed,
      input: total.input + row.input,
      output: total.output + row.output,
      cost: total.cost + row.cost,
      without_price: total.without_price + row.withoutPrice,
    }),
    NONE,
  )

/** Rows are ordered by day. */
const byDay = (rows: readonly UsageOfDay[]): z.output<typeof dayShape>[] =>
  [...Map.groupBy(rows, ({ day, model }) => `${day}\n${model}`).values()].map((own) => ({
    day: own[0]!.day,
    model: own[0]!.model,
    ...sumOf(own),
  }))

async function byPerson(ctx: Parameters<typeof ownerNames>[0], rows: readonly UsageOfDay[]) {
  const people = Map.groupBy(rows, ({ person }) => person)
  const named = await ownerNames(ctx, [...people.keys()])
  return [...people]
    .map(([id, own]) => ({ person: named(id), ...sumOf(own), days: byDay(own) }))
    .sort((a, b) => b.cost - a.cost || b.input - a.input)
}
