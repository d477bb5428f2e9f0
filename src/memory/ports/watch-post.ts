/** Locates the one process that runs `ken watch`. The system clears it when that process dies. */
export interface WatchPost {
  /**
   * Takes the post for this process and returns a function that releases it; undefined while another process has it.
   */
  take(): (() => void) | undefined
  holder(): { readonly pid: number } | undefined
}
