/**
 * The right to bring something up to date, which one process has at a time. The system takes it back from a process
 * that dies.
 */
export interface Lease {
  /** The function that gives it back; undefined while another process has it. */
  tryTake(): (() => void) | undefined
  close(): void
}
