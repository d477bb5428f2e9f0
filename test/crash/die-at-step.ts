import { watchDisk } from './disk-steps.ts'

/**
 * Counts the steps of this process that change the disk, and kills it right before the chosen one. Returns the function
 * that starts the count.
 */
export function dieAtStep(step: number): () => void {
  let left = Infinity
  watchDisk(({ changes }) => {
    if (changes && left-- <= 0) process.kill(process.pid, 'SIGKILL')
  })
  return () => {
    left = Math.min(left, step)
  }
}
