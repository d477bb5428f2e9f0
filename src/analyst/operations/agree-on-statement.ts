import { addUsage, NO_USAGE, type Usage } from '../../kernel/domain/model-usage.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import type { ModelImage, ModelText } from '../../kernel/ports/language-model.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import { REGISTRY } from '../../operations/registry.ts'
import type { Caps } from '../caps.ts'
import { agreementLine, agreementOf, agreementTask, type TriedStatement } from '../domain/agreement.ts'
import { converseWithin } from '../silence-limit.ts'
import type { ModelDesk } from './asked-turn.ts'

const STATEMENTS = 3
const MAX_OUTPUT = 4_000
const MOST_ROWS = 1_000
const ONE_STATEMENT =
  'Write the one SQL statement that answers this question: only the statement, in a ```sql block, with exactly the columns that are asked for. Call no tool. If there are several databases, its first line is `-- database: name`. If the question needs no data, write none.'

interface Written {
  readonly text: string
  readonly usage: Usage
}

interface Agreed {
  readonly usage: Usage
  readonly steps: number
  /** Instructions for the model; undefined if the question needs no statement. */
  readonly told: string | undefined
}

/**
 * Asks the model for three independent statements, runs them, and returns the rows that most of them have. Each passes
 * the gate like any other statement; none is an answer.
 */
export async function agreeOnStatement(
  ctx: Given,
  desk: ModelDesk,
  {
    caps,
    signal,
    keep,
  }: {
    readonly caps: Caps
    readonly signal: AbortSignal
    keep(call: { usage: Usage; milliseconds: number; failed: boolean }): Promise<void>
  },
): Promise<Agreed> {
  const { model, writer, system, content } = desk
  const asked: readonly (ModelText | ModelImage)[] = [...content, { type: 'text', text: ONE_STATEMENT }]
  const write = async (): Promise<Written> => {
    const started = ctx.clock.now().getTime()
    let written: Written = { text: '', usage: NO_USAGE }
    let failed = true
    try {
      const request = {
        system,
        messages: [{ role: 'user' as const, content: asked }],
        tools: [],
        maxTokens: MAX_OUTPUT,
        signal,
      }
      const limit = { milliseconds: caps.silence, tell: async () => {} }
      for await (const event of converseWithin(model, request, limit)) {
        if (event.type === 'text') written = { ...written, text: written.text + event.text }
        else if (event.type === 'end') written = { ...written, usage: event.usage }
      }
      failed = false
    } finally {
      await keep({ usage: written.usage, milliseconds: ctx.clock.now().getTime() - started, failed })
    }
    return written
  }
  const settled = await Promise.allSettled(Array.from({ length: STATEMENTS }, write))
  const written = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const usage = written.map((one) => one.usage).reduce(addUsage, NO_USAGE)
  const statements = written.flatMap(({ text }) => statementIn(text) ?? [])
  const spent = { usage, steps: settled.length }
  if (statements.length < 2 || signal.aborted) {
    if (!signal.aborted)
      await writer.add({
        kind: 'notice',
        text: `Agreement was not checked: ${statements.length} of ${STATEMENTS} statements were written.`,
      })
    return { ...spent, told: undefined }
  }
  const tried: TriedStatement[] = []
  for (const sql of statements) tried.push(await tryStatement({ ...ctx, signal }, sql))
  const agreement = agreementOf(tried)
  await writer.add({ kind: 'notice', text: agreementLine(agreement) })
  const { task, facts } = agreementTask(agreement)
  const label = { origin: 'database', trust: 'untrusted' } as const
  return { ...spent, told: `${task}\n\n${enveloped(facts, label, { about: 'statements and their results' })}` }
}

function statementIn(text: string): string | undefined {
  const block = /```(?:sql)?\s*\n([^]*?)```/i.exec(text)?.[1] ?? text
  return /^\s*(?:--[^\n]*\n\s*)*(?:select|with)\b/i.test(block) ? block.trim() : undefined
}

async function tryStatement(ctx: Given, sql: string): Promise<TriedStatement> {
  const operation = await REGISTRY.find(({ name }) => name === 'execute_sql')!.load()
  const database = /^\s*--\s*database:\s*(\S+)/i.exec(sql)?.[1]
  try {
    // Outside the turn: only statements of the answer itself are stored with the chat.
    const { output } = await call(ctx, operation, {
      sql,
      limit: MOST_ROWS,
      ...(database !== undefined && { database }),
    })
    const { refused, rows } = output as { refused?: { reason: string }; rows: NonNullable<TriedStatement['rows']> }
    return refused === undefined ? { sql, rows } : { sql, problem: `refused: ${refused.reason}` }
  } catch (thrown) {
    return { sql, problem: toAppError(thrown).message }
  }
}
