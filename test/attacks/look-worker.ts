import { createInterface } from 'node:readline'
import { openKen } from '../../src/app/open.ts'
import { ERROR_TABLE } from '../../src/kernel/domain/errors.ts'
import { toAppError } from '../../src/kernel/domain/to-app-error.ts'
import { visible } from '../../src/kernel/domain/trust/visible.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { answerText } from '../../src/operations/answer.ts'
import { call } from '../../src/operations/call.ts'

/*
 * Runs operations in one process, as many as are sent to it, one line of JSON each: what a program that is asked anew for
 * each would take a minute for. The process that started it ends it when an operation does not answer.
 */

export interface LookRequest {
  readonly cwd: string
  readonly operation: string
  readonly input: object
  readonly environment: Readonly<Record<string, string>>
}

export interface LookAnswer {
  readonly ms: number
  readonly status: number
  readonly text: string
  /** Name and stack of an internal Ken error. */
  readonly fault?: string | undefined
}

let open: { key: string; ken: ReturnType<typeof openKen> } | undefined

async function kenFor({ cwd, environment }: LookRequest): Promise<ReturnType<typeof openKen>> {
  const key = JSON.stringify([cwd, environment])
  if (open?.key === key) return open.ken
  await open?.ken.close().catch(() => undefined)
  process.env['PATH'] = environment['PATH']
  open = { key, ken: openKen(environment, () => {}) }
  return open.ken
}

async function look(request: LookRequest): Promise<LookAnswer> {
  const found = OPERATIONS.find(({ name }) => name === request.operation)!
  const started = performance.now()
  const answered = (status: number, text: string, fault?: string): LookAnswer => ({
    ms: performance.now() - started,
    status,
    text,
    fault,
  })
  try {
    process.chdir(request.cwd)
    const ken = await kenFor(request)
    const surface = found.hiddenFrom.mcp === undefined ? 'mcp-stdio' : 'cli'
    const answer = await call(ken.context({ origin: { surface }, cwd: request.cwd }), found, request.input)
    const text = `${answerText(found, answer, 'pipe')}\n${JSON.stringify(answer.output)}`
    return answered(found.exit(answer.output as never), text)
  } catch (error) {
    const failure = toAppError(error)
    const stack = (failure.cause instanceof Error ? failure.cause.stack : undefined) ?? failure.message
    return answered(
      ERROR_TABLE[failure.code].exit,
      visible(failure.line),
      failure.code === 'internal' ? stack : undefined,
    )
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await look(JSON.parse(line) as LookRequest))}\n`)
process.exit(0)
