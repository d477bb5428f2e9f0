import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...values: unknown[]) => unknown

const STEPS = [
  'renameSync',
  'linkSync',
  'rmSync',
  'mkdirSync',
  'openSync',
  'writeFileSync',
  'writeSync',
  'fsyncSync',
  'ftruncateSync',
  'fchmodSync',
  'readSync',
  'readFileSync',
  'readdirSync',
  'lstatSync',
] as const
const CHANGING: ReadonlySet<string> = new Set([
  'renameSync',
  'linkSync',
  'rmSync',
  'mkdirSync',
  'openSync',
  'writeFileSync',
  'writeSync',
  'fsyncSync',
  'ftruncateSync',
  'fchmodSync',
])

export interface DiskStep {
  readonly name: string
  /** The path, if the call has one. */
  readonly path: string | undefined
  readonly changes: boolean
}

/**
 * Calls `before` ahead of every synchronous disk operation of this process, like those of the file store; its errors
 * become the disk's errors.
 */
export function watchDisk(before: (step: DiskStep) => void): void {
  const functions = fs as unknown as Record<string, Call>
  for (const name of STEPS) {
    const real = functions[name]!
    functions[name] = function (this: unknown, ...values) {
      before({ name, path: typeof values[0] === 'string' ? values[0] : undefined, changes: CHANGING.has(name) })
      return real.apply(this, values)
    }
  }
  syncBuiltinESMExports()
}
