import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { LookAnswer, LookRequest } from './look-worker.ts'

/** Runs operations in a separate process, which is killed and restarted when one does not answer. */
export interface Looker {
  /** Undefined if there was no answer in time, or the process ended. */
  look(request: LookRequest, patienceMs: number): Promise<LookAnswer | undefined>
  close(): void
}

export function openLooker(environment: Readonly<Record<string, string>>): Looker {
  let child: ChildProcess | undefined
  let lines: Interface | undefined

  function start(): Interface {
    child = spawn(process.execPath, [join(import.meta.dirname, 'look-worker.ts')], {
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin!.on('error', () => {})
    return createInterface({ input: child.stdout! })
  }

  function end(): void {
    child?.kill('SIGKILL')
    child = lines = undefined
  }

  return {
    look(request, patienceMs) {
      const from = (lines ??= start())
      const { promise, resolve } = Promise.withResolvers<LookAnswer | undefined>()
      const given = (line: string): void => resolve(JSON.parse(line) as LookAnswer)
      const gone = (): void => resolve(undefined)
      const patience = setTimeout(gone, patienceMs)
      from.once('line', given).once('close', gone)
      child!.stdin!.write(`${JSON.stringify(request)}\n`)
      return promise.then((answer) => {
        clearTimeout(patience)
        from.off('line', given).off('close', gone)
        if (answer === undefined) end()
        return answer
      })
    },
    close: end,
  }
}
