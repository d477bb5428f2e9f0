import { plural } from '../../kernel/domain/text.ts'
import type { CaseOf } from './test-case.ts'
import type { TestCheck } from './test-run.ts'
import type { TurnFacts } from './turn-facts.ts'

type Actions = Pick<CaseOf<'action'>, 'called' | 'not_called' | 'order' | 'tables' | 'not_tables' | 'most_calls'>

/** Checks the calls and queries of a turn. A failed call counts as made; a failed statement read nothing. */
export function checkActions(wanted: Actions, { calls, queries }: TurnFacts): readonly TestCheck[] {
  const made = calls.map(({ tool }) => tool)
  const read = [...new Set(queries.flatMap(({ tables }) => tables))]
  const called = made.length === 0 ? 'no tool was called' : `called: ${listed(made)}`
  const reading = read.length === 0 ? 'no table was read' : `read: ${listed(read)}`
  return [
    ...wanted.called.map((tool) =>
      check(
        `calls ${tool}`,
        made.some((one) => isTool(one, tool)),
        called,
      ),
    ),
    ...wanted.not_called.map((tool) => check(`does not call ${tool}`, !made.some((one) => isTool(one, tool)), called)),
    ...(wanted.order.length === 0
      ? []
      : [check(`calls ${wanted.order.join(', then ')}`, isInOrder(made, wanted.order), called)]),
    ...wanted.tables.map((table) =>
      check(
        `reads ${table}`,
        read.some((one) => isTable(one, table)),
        reading,
      ),
    ),
    ...wanted.not_tables.map((table) =>
      check(`does not read ${table}`, !read.some((one) => isTable(one, table)), reading),
    ),
    ...(wanted.most_calls === undefined
      ? []
      : [
          check(
            `at most ${plural(wanted.most_calls, 'call')}`,
            made.length <= wanted.most_calls,
            `${plural(made.length, 'call')}: ${listed(made)}`,
          ),
        ]),
  ]
}

const check = (expects: string, passed: boolean, found: string): TestCheck =>
  passed ? { expects, passed } : { expects, passed, found }

const MOST_NAMED = 30

const listed = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`

/** `execute-sql` as people write it equals `execute_sql` as models call it. */
const isTool = (made: string, wanted: string): boolean => toolKey(made) === toolKey(wanted)
const toolKey = (name: string): string => name.trim().toLowerCase().replaceAll(/[-\s]/g, '_')

function isInOrder(made: readonly string[], wanted: readonly string[]): boolean {
  let at = 0
  for (const tool of made) if (at < wanted.length && isTool(tool, wanted[at]!)) at++
  return at === wanted.length
}

/** Omitted parts match anything: `orders` is `main.orders`, and `sales.orders` is not. */
function isTable(read: string, wanted: string): boolean {
  const [a, b] = [namePath(read), namePath(wanted)]
  const length = Math.min(a.length, b.length)
  return length > 0 && a.slice(-length).every((part, i) => part === b.slice(-length)[i])
}

const PART = /"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^."`[\]]+)/g

const namePath = (name: string): readonly string[] =>
  [...name.trim().matchAll(PART)].map(([, a, b, c, d]) =>
    (a?.replaceAll('""', '"') ?? b ?? c ?? d!).trim().toLowerCase(),
  )
