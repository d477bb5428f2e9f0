/** Reports changes below a set of folders. */
export interface Watcher {
  /**
   * Calls `changed` with the folders below which something was written, created or removed, once writes have paused or
   * continued for long. Folders that do not exist yet are watched once they appear. `failed` receives folders that
   * cannot be watched.
   */
  watch(
    folders: readonly string[],
    hear: { changed(folders: readonly string[]): void; failed(message: string): void },
  ): Promise<Watching>
}

export interface Watching {
  close(): Promise<void>
}
