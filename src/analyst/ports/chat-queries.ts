/** A statement that the analyst ran, and its result. */
export interface ChatQueryResult {
  readonly chat: string
  /** Query id `q_…`. */
  readonly id: string
  readonly message: string
  readonly database: string
  readonly sql: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Rows with secrets masked. */
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  /** Number of rows read; `rows` has the first of them, up to `MOST_ROWS` as JSON. */
  readonly rowCount: number
  /** The result is longer than the part read. */
  readonly cut: boolean
  readonly at: string
}

/**
 * Results behind charts, stories and cited numbers, kept as long as their chat. Every back end passes
 * test/contract/chat-queries.contract.ts.
 */
export interface ChatQueries {
  /** Stores a result; a second result of the same statement replaces the first. */
  keep(result: ChatQueryResult): Promise<void>
  find(chat: string, id: string): Promise<ChatQueryResult | undefined>
  /** Lists the results of a chat in the order of their first run, without rows. */
  list(chat: string): Promise<readonly Omit<ChatQueryResult, 'rows'>[]>
}
