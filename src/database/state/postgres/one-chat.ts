/** Chat with the id `$1`: the caller's own before a shared one. */
export const ONE_CHAT = `(SELECT id, project, person FROM ken.chats WHERE id = $1
  ORDER BY (person = current_setting('ken.person', true)) DESC NULLS LAST LIMIT 1)`

/** Condition that a row belongs to `chat`. */
export const ofChat = (row: string): string =>
  `${row}.chat = chat.id AND ${row}.project = chat.project AND ${row}.person = chat.person`
