import { rowsThatFit } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatQueries, ChatQueryResult } from '../../../analyst/ports/chat-queries.ts'
import { queryOf } from '../chat-rows.ts'
import { parsed } from '../given.ts'
import { noChat } from '../missing.ts'
import { OWN, type ScopedRows } from './scoped-rows.ts'

const ALL_BUT_ROWS = 'chat, id, message, database, sql, columns, row_count, cut, at'
const TOLD = 'chat, query.id, message, database, sql, columns, row_count, cut, at'

/** Chat with the id `$1`: the caller's own before a shared one. */
export const ONE_CHAT = `(SELECT id, project, person FROM ken.chats WHERE id = $1
  ORDER BY (person = current_setting('ken.person', true)) DESC NULLS LAST LIMIT 1)`

/** Condition that a row belongs to `chat`. */
export const ofChat = (row: string): string =>
  `${row}.chat = chat.id AND ${row}.project = chat.project AND ${row}.person = chat.person`
const QUERIES = `${ONE_CHAT} AS chat JOIN ken.chat_queries AS query ON ${ofChat('query')}`

export function chatQueriesIn(rows: ScopedRows): ChatQueries {
  return {
    async keep(result) {
      const [kept] = await rows.ask(
        `INSERT INTO ken.chat_queries (project, person, ${ALL_BUT_ROWS}, rows)
         SELECT project, person, id, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::boolean,
           $9::timestamptz, $10::text FROM ken.chats WHERE id = $1 AND ${OWN}
         ON CONFLICT (chat, id, project, person) DO UPDATE SET message = excluded.message,
           database = excluded.database, sql = excluded.sql, columns = excluded.columns,
           row_count = excluded.row_count, cut = excluded.cut, at = excluded.at, rows = excluded.rows
         RETURNING 1`,
        result.chat,
        result.id,
        result.message,
        result.database,
        result.sql,
        JSON.stringify(result.columns),
        result.rowCount,
        result.cut,
        result.at,
        JSON.stringify(rowsThatFit(result.rows)),
      )
      if (kept === undefined) throw noChat(result.chat)
    },
    async find(chat, id) {
      const [row] = await rows.ask(`SELECT ${TOLD}, rows FROM ${QUERIES} WHERE query.id = $2`, chat, id)
      return row && { ...queryOf(row), rows: parsed<ChatQueryResult['rows']>(row['rows']) }
    },
    list: async (chat) => (await rows.ask(`SELECT ${TOLD} FROM ${QUERIES} ORDER BY place`, chat)).map(queryOf),
  }
}
