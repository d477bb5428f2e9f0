/** Tells when something below some folders changed. */
export interface Watcher {
  /**
   * Calls `changed` with the folders below which something was written, made or removed, once it has been quiet for a
   * moment or has gone on for long. Folders that do not exist yet are waited for. `failed` hears of folders that cannot
   * be watched.
   */
  watch(
    folders: readonly string[],
    hear: { changed(folders: readonly string[]): void; failed(message: string): void },
  ): Promise<Watching>
}

export interface Watching {
  close(): Promise<void>
}
