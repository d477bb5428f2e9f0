import { workerData } from 'node:worker_threads'

export interface GuardOrders {
  /** 1 while a statement runs. */
  readonly state: Int32Array
  readonly memory: number
  readonly parent: number
}

const LOOK_MS = 20

const { state, memory, parent } = workerData as GuardOrders

for (;;) {
  // While nothing runs, the process itself sees its parent go.
  Atomics.wait(state, 0, 0)
  Atomics.wait(state, 0, 1, LOOK_MS)
  if (isOrphan() || process.memoryUsage.rss() > memory) process.kill(process.pid, 'SIGKILL')
}

/** Where a parent that died is not replaced by another one, as on Windows, its number answers no more. */
function isOrphan(): boolean {
  if (process.ppid !== parent) return true
  try {
    process.kill(parent, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
