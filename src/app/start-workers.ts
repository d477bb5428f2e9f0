export interface Worker {
  /** Takes no more jobs, and waits until running ones finish. */
  stop(): Promise<void>
}

/** Starts workers one after the other. If one cannot start, the previous ones are stopped: all of them run, or none. */
export async function startWorkers(starts: readonly (() => Promise<Worker>)[]): Promise<Worker> {
  const started: Worker[] = []
  const stop = async (): Promise<void> => void (await Promise.all(started.map((worker) => worker.stop())))
  try {
    for (const start of starts) started.push(await start())
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
