/** Whether a decision has the number that is asked for (`12`, `d12`, `D012`), or all the words in its title. */
export function matchesQuery(decision: { readonly num: number; readonly title: string }, query: string): boolean {
  const asked = query.trim().toLowerCase()
  if (asked === '') return true
  const number = /^d?0*(\d+)$/.exec(asked)?.[1]
  if (number !== undefined && String(decision.num).startsWith(number)) return true
  const title = decision.title.toLowerCase()
  return asked.split(/\s+/).every((word) => title.includes(word))
}
