import { BUDGET, beginning, count } from '../../kernel/domain/answer-budget.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import type { Given } from '../../operations/context.ts'

/** The size limit of an answer; none for a person: a terminal or pipe takes any length. */
export const budgetFor = (ctx: Given, budget: number): number => (isPerson(ctx.origin) ? Infinity : budget)

/** A page of a record file, starting at a character; its last line names the next offset. */
export function pageOf(
  ctx: Given,
  content: string,
  { from, path, as_of: asOf }: { from: number; path: string; as_of?: string | undefined },
): string {
  const { text, left } = beginning(content.slice(from), budgetFor(ctx, BUDGET.file))
  if (left === 0) return text
  return `${text}\n\n(+${count(left)} characters: get_raw_file with path ${path} and from ${content.length - left}${asOf === undefined ? '' : `, as_of ${asOf}`})`
}
