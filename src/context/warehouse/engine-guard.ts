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
  // While nothing runs, the process itself notices that its parent exited.
  Atomics.wait(state, 0, 0)
  Atomics.wait(state, 0, 1, LOOK_MS)
  if (isOrphan() || process.memoryUsage.rss() > memory) process.kill(process.pid, 'SIGKILL')
}

/** On systems that do not reparent, such as Windows, the id of a dead parent no longer exists. */
function isOrphan(): boolean {
  if (process.ppid !== parent) return true
  try {
    process.kill(parent, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
