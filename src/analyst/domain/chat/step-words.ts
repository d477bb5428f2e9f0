import { plural } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { fitWidth } from '../../../kernel/domain/view/width.ts'

/** A tool call in a turn, with the fields known so far. */
export interface Step {
  readonly tool: string
  readonly input: unknown
  readonly failed?: boolean
  /** The result text given to the model. */
  readonly text?: string
  /** The answer as data, if it was stored. */
  readonly output?: unknown
  readonly milliseconds?: number
}

/** Short description of a step while it runs. */
export const stepDoing = ({ tool, input }: Step): string => kindOf(tool).doing(fieldsOf(input), tool)

/** Whether two consecutive steps are shown together. */
export const isSameKind = (a: Step, b: Step): boolean =>
  kindOf(a.tool).folds && kindOf(a.tool) === kindOf(b.tool) && a.failed === b.failed

/** Result of steps of one kind; empty for steps with visible output. */
export function stepsDone(steps: readonly Step[]): string {
  const [first] = steps
  if (first === undefined) return ''
  const kind = kindOf(first.tool)
  if (first.failed === true && kind !== QUIET) return `${kind.failed(steps)}${seconds(steps)}`
  return kind.done(steps)
}

type Fields = Readonly<Record<string, unknown>>

interface Kind {
  readonly folds: boolean
  doing(input: Fields, tool: string): string
  done(steps: readonly Step[]): string
  failed(steps: readonly Step[]): string
}

const LONGEST = 60
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const shown = (value: unknown): string => (typeof value === 'string' ? fitWidth(visibleLine(value), LONGEST) : '')
const names = (steps: readonly Step[], field: string): string[] => [
  ...new Set(steps.map(({ input }) => shown(fieldsOf(input)[field])).filter(Boolean)),
]

function seconds(steps: readonly Step[]): string {
  const all = steps.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0)
  return all < 50 ? '' : `, ${(all / 1_000).toFixed(1)} s`
}

const kind = (
  doing: string,
  done: (steps: readonly Step[]) => string,
  failed: (steps: readonly Step[]) => string = () => `${doing} failed`,
): Kind => ({ folds: true, doing: () => doing, done, failed })

const SQL: Kind = {
  folds: false,
  doing: () => 'running SQL',
  done(steps) {
    const { row_count: rows, cut } = fieldsOf(steps[0]!.output)
    const told = typeof rows === 'number' ? `: ${plural(rows, 'row')}${cut === true ? ', cut' : ''}` : ''
    return `ran SQL${told}${seconds(steps)}`
  },
  failed(steps) {
    const { reason } = fieldsOf(fieldsOf(steps[0]!.output)['refused'])
    if (typeof reason === 'string') return `SQL was refused: ${shown(reason)}`
    const said = shown(steps[0]!.text?.trim().split('\n')[0])
    return said === '' ? 'SQL failed' : `SQL failed: ${said}`
  },
}

const TABLES = kind('looking at tables', (steps) => {
  const tables = names(steps, 'table')
  return tables.length === 0
    ? 'looked through the tables'
    : `looked at ${tables.length === 1 ? tables[0] : plural(tables.length, 'table')}`
})

const FILES = kind('reading files', (steps) => {
  const files = names(steps, 'path')
  return files.length === 0
    ? 'searched the files'
    : files.length === 1
      ? `read ${files[0]}`
      : `read ${plural(files.length, 'file')}`
})

const MEMORY = kind('searching the memory', () => 'searched the memory')
const RECORD = kind('looking at decisions', () => 'looked at decisions')

/** Tools whose output is shown directly, without a description. */
const QUIET: Kind = { folds: true, doing: () => 'writing', done: () => '', failed: () => '' }

const OTHER: Kind = {
  folds: false,
  doing: (_input, tool) => `calling ${shown(tool)}`,
  done: (steps) => `called ${shown(steps[0]!.tool)}${seconds(steps)}`,
  failed: (steps) => `${shown(steps[0]!.tool)} failed`,
}

const KINDS: Readonly<Record<string, Kind>> = {
  execute_sql: SQL,
  read_result: kind('reading on in a result', () => 'read on in a result'),
  list_tables: TABLES,
  describe_table: TABLES,
  read_file: FILES,
  list_files: FILES,
  search_files: FILES,
  grep_files: FILES,
  memory_query: MEMORY,
  memory_search: MEMORY,
  memory_get: MEMORY,
  check_decision: RECORD,
  search_decisions: RECORD,
  get_decision: RECORD,
  display_chart: { ...QUIET, doing: () => 'drawing a chart' },
  story: { ...QUIET, doing: () => 'writing a story' },
  clarify: QUIET,
  suggest_follow_ups: QUIET,
  remember: QUIET,
}

const kindOf = (tool: string): Kind => (Object.hasOwn(KINDS, tool) ? KINDS[tool]! : OTHER)
