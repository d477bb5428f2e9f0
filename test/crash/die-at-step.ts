import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...values: unknown[]) => unknown

const CHANGING = ['rename', 'link', 'rm', 'truncate', 'mkdir', 'copyFile', 'open'] as const
const ON_A_FILE = ['writeFile', 'appendFile', 'sync', 'truncate', 'chmod'] as const

/** Counts the steps of this process that touch the disk, and kills it right before the chosen one. Returns the function that starts the count. */
export async function dieAtStep(step: number): Promise<() => void> {
  let left = Infinity
  const counted = (real: Call): Call =>
    function (this: unknown, ...values) {
      if (left-- <= 0) process.kill(process.pid, 'SIGKILL')
      return real.apply(this, values)
    }
  const file = await fs.open(process.execPath, 'r')
  const prototype = Object.getPrototypeOf(file) as Record<string, Call>
  await file.close()
  for (const name of ON_A_FILE) prototype[name] = counted(prototype[name]!)
  const functions = fs as unknown as Record<string, Call>
  for (const name of CHANGING) functions[name] = counted(functions[name]!)
  syncBuiltinESMExports()
  return () => {
    left = Math.min(left, step)
  }
}
