/** Where the one process that runs `ken watch` is to be found. The system clears it when that process dies. */
export interface WatchPost {
  /** Takes it for this process and gives the function that leaves it; undefined while another process has it. */
  take(): (() => void) | undefined
  holder(): { readonly pid: number } | undefined
}
