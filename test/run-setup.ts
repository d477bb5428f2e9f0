import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stopServerOf } from './postgres/run-server.ts'
import { CACHE } from './run.ts'

/** Global setup and teardown: removes the shared resources of a run, and the leftovers of a killed run. */
export default function setup(): () => Promise<void> {
  process.env['KEN_TEST_RUN'] = String(process.pid)
  return endRuns
}

async function endRuns(): Promise<void> {
  // There is nothing to share, e.g. in a copy of the tree.
  if (!existsSync(CACHE)) return
  const runs = readdirSync(CACHE).filter((name) => name.startsWith('run-'))
  for (const name of runs) {
    const pid = Number(name.slice('run-'.length))
    if (pid !== process.pid && isRunning(pid)) continue
    await stopServerOf(join(CACHE, name))
    rmSync(join(CACHE, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
