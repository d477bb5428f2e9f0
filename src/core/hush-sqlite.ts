interface Warns {
  emitWarning(...warning: never[]): void
}

/**
 * Node 22 says in every thread that its SQLite is experimental; in a hook an agent would read that on every prompt. To
 * be called before anything imports node:sqlite. Other warnings go out as ever.
 */
export function hushSqlite(thread: Warns): void {
  const emit = thread.emitWarning.bind(thread) as (...warning: unknown[]) => void
  thread.emitWarning = (...warning: unknown[]) => {
    if (!String(warning[0]).startsWith('SQLite is an experimental feature')) emit(...warning)
  }
}
