import { rowsThatFit } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatQueries, ChatQueryResult } from '../../../analyst/ports/chat-queries.ts'
import { queryOf } from '../chat-rows.ts'
import { parsed } from '../given.ts'
import { noChat } from '../missing.ts'
import type { Tables } from './tables.ts'

const ALL_BUT_ROWS = 'chat, id, message, database, sql, columns, row_count, cut, at'

export function chatQueriesIn(tables: Tables): ChatQueries {
  return {
    async keep({ chat, id, message, database, sql, columns, rows, rowCount, cut, at }) {
      const kept = JSON.stringify(rowsThatFit(rows))
      return tables.write(() => {
        if (tables.one('SELECT 1 FROM chat WHERE id = ?', chat) === undefined) throw noChat(chat)
        tables.run(
          `INSERT INTO chat_query (${ALL_BUT_ROWS}, rows) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET message = excluded.message, database = excluded.database, sql = excluded.sql,
           columns = excluded.columns, row_count = excluded.row_count, cut = excluded.cut, at = excluded.at,
           rows = excluded.rows`,
          chat,
          id,
          message,
          database,
          sql,
          JSON.stringify(columns),
          rowCount,
          Number(cut),
          at,
          kept,
        )
      })
    },
    async find(chat, id) {
      const row = tables.one(`SELECT ${ALL_BUT_ROWS}, rows FROM chat_query WHERE chat = ? AND id = ?`, chat, id)
      return row && { ...queryOf(row), rows: parsed<ChatQueryResult['rows']>(row['rows']) }
    },
    list: async (chat) =>
      tables.all(`SELECT ${ALL_BUT_ROWS} FROM chat_query WHERE chat = ? ORDER BY place`, chat).map(queryOf),
  }
}
