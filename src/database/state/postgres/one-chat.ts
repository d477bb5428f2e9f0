/** The chat with the id `$1`: one's own before one that is shared. */
export const ONE_CHAT = `(SELECT id, project, person FROM ken.chats WHERE id = $1
  ORDER BY (person = current_setting('ken.person', true)) DESC NULLS LAST LIMIT 1)`

/** That a row belongs to `chat`. */
export const ofChat = (row: string): string =>
  `${row}.chat = chat.id AND ${row}.project = chat.project AND ${row}.person = chat.person`
