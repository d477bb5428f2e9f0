import { beginning, BUDGET } from '../../kernel/domain/answer-budget.ts'
import { isPlainObject, readJson } from '../../kernel/domain/input/read-value.ts'
import { spellNames } from '../../kernel/domain/named-operation.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { answerText } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import { coerceInput, unwrapped } from '../../operations/coerce-input.ts'
import type { Given, Offered } from '../../operations/context.ts'
import { listedSchema } from '../../operations/listed-schema.ts'
import { REGISTRY, type RegisteredOperation } from '../../operations/registry.ts'
import { forAgents, FOR_PROGRAMS } from '../../operations/spelling.ts'
import type { TurnScope } from '../ports/turn-scope.ts'
import type { AnalystTool } from '../tool.ts'

const OF_CONTEXT = [
  'list_tables',
  'describe_table',
  'execute_sql',
  'read_result',
  'display_chart',
  'read_file',
  'list_files',
  'search_files',
  'grep_files',
]
const OF_MEMORY = ['memory_query', 'memory_get']
const OF_RECORD = ['check_decision', 'search_decisions', 'get_decision']

/** The operations available to the analyst as tools. None of them writes to the record, the context or the memory. */
export const analystOperations = (
  has: {
    readonly context: boolean
    readonly record: boolean
    /** Whether a person can approve changes. */
    readonly approval: boolean
  },
  offers: (name: string) => boolean = () => true,
): readonly string[] =>
  [
    ...(has.context ? OF_CONTEXT : []),
    ...OF_MEMORY,
    ...(has.record ? OF_RECORD : []),
    ...REGISTRY.filter(({ toolset, name }) => toolset === 'analyst' && (has.context || !OF_DATA.has(name))).map(
      ({ name }) => name,
    ),
  ]
    .filter((name) => has.approval || !CHANGING.has(name))
    .filter(offers)

/** Operations that need a database. */
const OF_DATA = new Set(['story'])
/** Operations that change something beyond the answer. */
const CHANGING = new Set(['story'])

/** Operations that end the turn: the person answers their question or offer. */
const ENDS: Readonly<Record<string, 'answered' | 'asked'>> = { clarify: 'asked', suggest_follow_ups: 'answered' }

/** Operations as tools of one turn. They are called as on every surface, on behalf of a program. */
export async function analystTools(
  ctx: Given<'analyst'>,
  names: readonly string[],
  scope: (call: string) => TurnScope,
): Promise<readonly AnalystTool[]> {
  const wanted = REGISTRY.filter(({ name }) => names.includes(name))
  const operations = await Promise.all(wanted.map((one) => one.load()))
  return operations.map((operation) => toolOf(operation, ctx, scope))
}

function toolOf(operation: RegisteredOperation, ctx: Offered, scope: (call: string) => TurnScope): AnalystTool {
  // A tool has no interactive user: the analyst asks in its own words instead.
  const { confirm: _confirm, ask: _ask, editText: _edit, pipe: _pipe, hear: _hear, ...alone } = ctx
  return {
    name: operation.name,
    description: spellNames(operation.summary, FOR_PROGRAMS),
    schema: listedSchema(operation, { alone: true }),
    approval: operation.effect === 'read' ? 'none' : 'after_reading',
    async run(input, { id, signal }) {
      const own: Offered = { ...alone, origin: { surface: 'http', client: 'ken-analyst' }, turn: scope(id), signal }
      if (typeof input === 'string' && !isPlainObject(readJson(input)))
        return { text: 'The arguments are no JSON object. Send the call again, with all of them.', failed: true }
      try {
        const { input: meant, told } = coerceInput(operation, unwrapped(input, operation), ctx.clock.now().getTime())
        const answer = await call({ ...own, notices: () => told }, operation, meant)
        const { text, left } = beginning(answerText(operation, answer, 'agent'), BUDGET.L1)
        const failed = operation.exit(answer.output as never) > 0
        const ends = failed ? undefined : ENDS[operation.name]
        return {
          text: left === 0 ? text : `${text}\n[${left} characters left out: ask for less at once]`,
          failed,
          output: answer.output,
          ...(ends !== undefined && { ends }),
        }
      } catch (thrown) {
        const failure = toAppError(thrown)
        if (failure.code === 'stopped') throw failure
        return { text: forAgents(spellNames(failure.line, FOR_PROGRAMS)), failed: true }
      }
    },
  }
}
