import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { GuardOrders } from './engine-guard.ts'

/**
 * `opened` distinguishes a file that is not a database from an invalid statement; `about`, whether an error can contain
 * row values.
 */
export type EngineAnswer = { readonly swollen: boolean } & (
  | { readonly result: unknown }
  | { readonly error: string; readonly opened: boolean; readonly about: 'statement' | 'data' }
)

export interface ServedEngine<Task, Database> {
  open(file: string, memory: number): Database | Promise<Database>
  close(database: Database): void
  run(task: Task, database: Database): unknown
  /** True if the engine rejected the statement before it read a row. */
  isAboutStatement(error: Error): boolean
}

/** Engine error raised before the statement ran. */
export class StatementFault extends Error {}

/** Child side of `openEnginePool`: one task at a time, watched by a guard. */
export function serveEngine<Task, Database>(engine: ServedEngine<Task, Database>): void {
  const memory = Number(process.argv[3])
  const holdsFile = process.argv[4] === 'holds'
  const setBusy = startGuard(memory)
  let database: Database | undefined

  async function answer(task: Task): Promise<EngineAnswer> {
    try {
      database ??= await engine.open(process.argv[2] ?? '', memory)
      return { result: await engine.run(task, database), swollen: isSwollen(memory) }
    } catch (error) {
      const about = engine.isAboutStatement(error as Error) ? 'statement' : 'data'
      return { error: (error as Error).message, opened: database !== undefined, about, swollen: isSwollen(memory) }
    } finally {
      // Before the answer is sent, because its receiver may open the file for writing.
      if (!holdsFile && database !== undefined) engine.close(database)
      if (!holdsFile) database = undefined
    }
  }

  process.on('message', async ({ task }: { task: Task }) => {
    setBusy(true)
    const answered = await answer(task)
    send(answered)
    setBusy(false)
  })
  process.send?.('ready')
  // A regular exit would wait for threads of the engine.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

function send(answer: EngineAnswer): void {
  try {
    process.send?.(answer)
  } catch (error) {
    process.send?.({
      error: (error as Error).message,
      opened: true,
      about: 'statement',
      swollen: true,
    } satisfies EngineAnswer)
  }
}

const isSwollen = (memory: number): boolean => process.memoryUsage.rss() > memory * 0.6

/**
 * A statement blocks the only thread that could notice its parent's exit or growing memory, so another thread watches.
 */
function startGuard(memory: number): (busy: boolean) => void {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const program = new URL(import.meta.url.endsWith('.ts') ? './engine-guard.ts' : './engine-guard.js', import.meta.url)
  const orders: GuardOrders = { state, memory, parent: process.ppid }
  new Worker(fileURLToPath(program), { workerData: orders, execArgv: [] }).unref()
  return (busy) => {
    Atomics.store(state, 0, busy ? 1 : 0)
    Atomics.notify(state, 0)
  }
}
