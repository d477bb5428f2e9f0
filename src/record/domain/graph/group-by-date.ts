import type { Grouping } from './grouping.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Years if there are several; months or quarters for a short record, decades or centuries for a long one. */
export function dateGroups(decisions: readonly { readonly date: string }[], most: number): Grouping {
  const years = new Set(decisions.map(({ date }) => date.slice(0, 4))).size
  const fits = ([nameOf]: (typeof STEPS)[number]): boolean =>
    new Set(decisions.map(({ date }) => nameOf(date))).size <= most
  const steps = years > 2 ? STEPS.slice(2) : STEPS
  const [nameOf] = steps.find(fits) ?? STEPS.at(-1)!
  const mine = decisions.map(({ date }) => nameOf(date))
  const first = new Map<string, string>()
  decisions.forEach(({ date }, i) => {
    const name = mine[i]!
    if (date < (first.get(name) ?? '~')) first.set(name, date)
  })
  const names = [...first.keys()].sort((a, b) => (first.get(a)! < first.get(b)! ? -1 : 1))
  const places = new Map(names.map((name, place) => [name, place]))
  return { by: 'date', names, of: mine.map((name) => places.get(name)!), rest: null }
}

const STEPS: readonly (readonly [(date: string) => string])[] = [
  [(date) => `${MONTHS[Number(date.slice(5, 7)) - 1] ?? '?'} ${date.slice(0, 4)}`],
  [(date) => `${date.slice(0, 4)}, quarter ${Math.ceil(Number(date.slice(5, 7)) / 3)}`],
  [(date) => date.slice(0, 4)],
  [(date) => `${date.slice(0, 3)}0s`],
  [(date) => `${date.slice(0, 2)}00s`],
]
