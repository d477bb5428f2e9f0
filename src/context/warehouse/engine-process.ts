import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { GuardOrders } from './engine-guard.ts'

/**
 * `opened` distinguishes a file that is not a database from a statement that is wrong; `about`, whether an error can hold values
 * of rows.
 */
export type EngineAnswer = { readonly swollen: boolean } & (
  | { readonly result: unknown }
  | { readonly error: string; readonly opened: boolean; readonly about: 'statement' | 'data' }
)

export interface ServedEngine<Task, Database> {
  open(file: string, memory: number): Database | Promise<Database>
  close(database: Database): void
  run(task: Task, database: Database): unknown
  /** True when the engine found fault with the statement before it read a row. */
  isAboutStatement(error: Error): boolean
}

/** An engine's fault that came up before the statement ran. */
export class StatementFault extends Error {}

/** The inside of a process of `openEnginePool`: one task at a time, under the eyes of a guard. */
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
      // Before the answer goes out: whoever has it may open the file for writing.
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
  // Leaving in the ordinary way would wait for threads of the engine.
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

/** A statement holds the only thread that could see its parent go or its memory grow, so another one looks. */
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
