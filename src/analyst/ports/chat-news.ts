/** Says that something happened in a chat, in whatever process, so that nobody has to look again and again. */
export interface ChatNews {
  /**
   * Calls `wake` after the log of the chat has changed, and where it may have, until the function that it gives is
   * called. Says not what: whoever is woken reads on in the log from where they were.
   */
  onNews(chat: string, wake: () => void): () => void
  close(): Promise<void>
}
