import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../kernel/domain/errors.ts'
import type { QueryLimits, StopSignal } from '../ports/warehouse.ts'
import type { EngineAnswer } from './engine-process.ts'
import { refusedByEngine, runWithin } from './warehouse-limits.ts'

export interface EnginePool<Task> {
  /**
   * Runs one task in a separate process. Stopping it, or exceeding the memory limit, ends that process; the next task
   * gets a new one.
   */
  run<T>(task: Task, limits: Pick<QueryLimits, 'milliseconds'>, signal?: StopSignal): Promise<T>
  close(): Promise<void>
}

export interface EngineParts {
  /** Module that calls `serveEngine`, without its extension, next to the requesting module. */
  readonly program: URL
  /** First argument of the program. */
  readonly file: string
  /** Name of the engine for people. */
  readonly engine: string
  readonly mostProcesses: number
  /** Maximum memory of one process. */
  readonly memory: number
  /** Whether a process keeps the file open between tasks. */
  readonly holdsFile: boolean
}

export const DEFAULT_ENGINE_MEMORY = 1024 ** 3
const MB = 1024 ** 2
const STARTING = { milliseconds: 60_000 }

/** Engines inside a Node process cannot be trusted to stop, so they get processes that can be killed. */
export function openEnginePool<Task>(parts: EngineParts): EnginePool<Task> {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const started = new WeakMap<ChildProcess, Promise<void>>()
  const waiting: (() => void)[] = []
  let busy = 0

  const take = async (): Promise<ChildProcess> => {
    if (busy >= parts.mostProcesses) await new Promise<void>((resolve) => waiting.push(resolve))
    busy++
    let child = idle.pop()
    while (child !== undefined && !isUsable(child)) child = idle.pop()
    if (child === undefined) {
      child = start(parts, all)
      started.set(child, untilReady(child, parts))
    }
    hold(child, true)
    return child
  }
  const giveBack = (child: ChildProcess): void => {
    busy--
    if (isUsable(child)) {
      hold(child, false)
      idle.push(child)
    }
    waiting.shift()?.()
  }
  return {
    async run<T>(task: Task, limits: Pick<QueryLimits, 'milliseconds'>, signal?: StopSignal) {
      const child = await take()
      try {
        const stop = (): void => void child.kill('SIGKILL')
        // The time limit of a statement starts once a process is available to run it.
        await runWithin({ limits: STARTING, signal, stop, run: () => started.get(child)! })
        return await runWithin<T>({ limits, signal, stop, run: () => ask<T>(child, task, parts) })
      } finally {
        giveBack(child)
      }
    },
    async close() {
      await Promise.all([...all].map(end))
    },
  }
}

function start({ program, file, memory, holdsFile }: EngineParts, all: Set<ChildProcess>): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const child = fork(fileURLToPath(program) + extension, [file, String(memory), holdsFile ? 'holds' : 'lets go'], {
    execArgv: [`--max-old-space-size=${Math.max(64, Math.floor(memory / 2 / MB))}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  all.add(child)
  child.once('exit', () => all.delete(child))
  // A process that could not be started never exits.
  child.on('error', () => all.delete(child))
  return child
}

/** Whether a process was neither killed by the pool nor has exited. */
const isUsable = (child: ChildProcess): boolean =>
  child.connected && child.exitCode === null && child.signalCode === null && !child.killed

function end(child: ChildProcess): Promise<void> {
  hold(child, true)
  return new Promise((resolve) => child.once('exit', () => resolve()).kill('SIGKILL'))
}

/** An idle process must not keep Ken from exiting. */
function hold(child: ChildProcess, busy: boolean): void {
  if (busy) child.ref()
  else child.unref()
  if (busy) child.channel?.ref()
  else child.channel?.unref()
}

function untilReady(child: ChildProcess, parts: EngineParts): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void => reject(endedBy(code, signal, parts))
  child.once('message', () => resolve())
  child.once('exit', onExit)
  child.once('error', () => onExit(null, null))
  promise.catch(() => undefined)
  return promise
}

function ask<T>(child: ChildProcess, task: unknown, parts: EngineParts): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onMessage = (answer: EngineAnswer): void => {
    // Leftovers of a large statement would count against the next one.
    if (answer.swollen) child.kill('SIGKILL')
    if ('result' in answer) resolve(answer.result as T)
    else if (/^out of memory\b/i.test(answer.error)) reject(outOfMemory(parts.memory))
    else if (answer.opened && !isTaken(answer.error))
      reject(refusedByEngine(new Error(answer.error), { about: answer.about }))
    else reject(unopened(answer.error, parts))
  }
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void => reject(endedBy(code, signal, parts))
  const onError = (): void => onExit(null, null)
  child.once('message', onMessage)
  child.once('exit', onExit)
  child.once('error', onError)
  child.send({ task }, (error) => error && onError())
  return promise.finally(() => {
    child.off('message', onMessage)
    child.off('exit', onExit)
    child.off('error', onError)
  })
}

/** Engine messages for a file that another program is writing. */
const isTaken = (error: string): boolean => /^database is locked|could not set lock on file/i.test(error)

function unopened(error: string, { engine, file }: EngineParts): AppError {
  if (!isTaken(error))
    return new AppError('unavailable', `the ${engine} file ${file} cannot be read: ${error}`, {
      hint: 'Check the path in ken.yaml.',
    })
  const holder = /held in (.+?) \(PID (\d+)\)/.exec(error)
  return new AppError(
    'unavailable',
    `the ${engine} file ${file} is being written to by another program${holder ? ` (${holder[1]}, process ${holder[2]})` : ''}`,
    {
      hint: `${engine} allows one writer or several readers per file. Try again when that program has closed it.`,
      details: { reason: 'locked' },
    },
  )
}

/** Only these cause such exits: its guard, a system without memory, or V8 with a full heap. */
function endedBy(code: number | null, signal: NodeJS.Signals | null, { engine, memory }: EngineParts): AppError {
  const isMemory =
    signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134 || (process.platform === 'win32' && code === 1)
  return isMemory
    ? outOfMemory(memory)
    : new AppError('unavailable', `the ${engine} process ended`, { hint: 'Try again with a smaller statement.' })
}

const outOfMemory = (memory: number): AppError =>
  new AppError(
    'unavailable',
    `the statement needed more memory than the ${Math.round(memory / MB)} MB it may have and was stopped`,
    {
      hint: 'Ask for less: fewer or shorter values, or aggregates; `ken config set query.memory` gives it more.',
      details: { reason: 'memory' },
    },
  )
