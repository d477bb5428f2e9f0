import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../core/errors.ts'
import type { QueryLimits, QueryResult, StopSignal } from '../../ports/warehouse.ts'
import { runWithin } from '../warehouse-limits.ts'
import type { ProcessAnswer } from './sqlite-process.ts'

export type RunQuery = (sql: string, limits: QueryLimits, signal?: StopSignal) => Promise<QueryResult>

const MOST_PROCESSES = 4

/** Up to four processes, one statement at a time in each. Stopping a statement ends its process; the next one starts afresh. */
export function openProcessPool(path: string): { query: RunQuery; close(): Promise<void> } {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const waiting: (() => void)[] = []
  let busy = 0

  const take = async (): Promise<ChildProcess> => {
    if (busy >= MOST_PROCESSES) await new Promise<void>((resolve) => waiting.push(resolve))
    busy++
    const child = idle.pop() ?? start(path, all)
    hold(child, true)
    return child
  }
  const giveBack = (child: ChildProcess): void => {
    busy--
    if (child.connected && child.exitCode === null && !child.killed) {
      hold(child, false)
      idle.push(child)
    }
    waiting.shift()?.()
  }
  return {
    async query(sql, limits, signal) {
      const child = await take()
      try {
        return await runWithin({ limits, signal, stop: () => void child.kill('SIGKILL'), run: () => ask(child, sql, limits) })
      } finally {
        giveBack(child)
      }
    },
    async close() {
      await Promise.all([...all].map(end))
    },
  }
}

function start(path: string, all: Set<ChildProcess>): ChildProcess {
  const program = new URL(import.meta.url.endsWith('.ts') ? './sqlite-process.ts' : './sqlite-process.js', import.meta.url)
  const child = fork(fileURLToPath(program), [path], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  all.add(child)
  child.once('exit', () => all.delete(child))
  return child
}

function end(child: ChildProcess): Promise<void> {
  hold(child, true)
  return new Promise((resolve) => child.once('exit', () => resolve()).kill('SIGKILL'))
}

/** An idle process must not keep Ken from ending. */
function hold(child: ChildProcess, busy: boolean): void {
  if (busy) child.ref()
  else child.unref()
  if (busy) child.channel?.ref()
  else child.channel?.unref()
}

function ask(child: ChildProcess, sql: string, limits: QueryLimits): Promise<QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
  const onMessage = (answer: ProcessAnswer): void => {
    if ('result' in answer) resolve(answer.result)
    else if (answer.opened)
      reject(new AppError('invalid_input', answer.error, { hint: 'Check names and syntax against the table documents.' }))
    else reject(new AppError('unavailable', `the SQLite file cannot be read: ${answer.error}`, { hint: 'Check the path in ken.yaml.' }))
  }
  const onExit = (): void =>
    reject(new AppError('unavailable', 'the SQLite process ended', { hint: 'Try again with a smaller statement.' }))
  child.once('message', onMessage)
  child.once('exit', onExit)
  child.send({ sql, limits }, (error) => error && onExit())
  return promise.finally(() => {
    child.off('message', onMessage)
    child.off('exit', onExit)
  })
}
