/** Notifies of changes in a chat by any process, so that readers need not poll. */
export interface ChatNews {
  /**
   * Calls `wake` after the log of the chat has changed, or may have, until the returned function is called. Does not
   * pass the change: the reader continues reading the log.
   */
  onNews(chat: string, wake: () => void): () => void
  close(): Promise<void>
}
