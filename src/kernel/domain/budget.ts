import { AppError } from './errors.ts'

/** Monthly limit of spending on models, and the amount spent. In US dollars, for calls with a known price. */
export interface Budget {
  readonly of: 'person' | 'project'
  readonly most: number
  readonly spent: number
}

const WARNED_AT = 0.8

/** Start of the month in UTC. */
export const monthBegan = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString()

/** Remainder of the tightest budget; throws `forbidden` if any budget is used up. */
export function leftWithin(budgets: readonly Budget[], now: Date): number {
  const spent = budgets.find((budget) => budget.spent >= budget.most)
  if (spent === undefined) return Math.min(...budgets.map(({ most, spent: used }) => most - used))
  const anew = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
  throw new AppError('forbidden', `${named(spent)} for models is spent: $${spent.most} a month.`, {
    hint: `It resets on ${anew}; raise it with the setting budget.${spent.of}.`,
  })
}

/** One line for each budget that is nearly used up. */
export const nearlySpent = (budgets: readonly Budget[]): readonly string[] =>
  budgets
    .filter(({ most, spent }) => spent >= WARNED_AT * most)
    .map(
      (budget) =>
        `${Math.floor((100 * budget.spent) / budget.most)} % of ${named(budget).toLowerCase()} for this month is spent.`,
    )

const named = ({ of }: Budget): string => (of === 'person' ? 'Your budget' : 'The budget of this project')
