import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { SqlDatabase, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { Tombstone } from '../../../memory/domain/upkeep/session-retention.ts'
import type { State } from '../../../memory/ports/state.ts'
import { asList } from './scoped-rows.ts'

/** Harvest cursors and tombstones of the sessions shared in a project. */
export function openPostgresState(database: SqlDatabase, project: string): State {
  const ask = <Row extends object>(text: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> =>
    database.transaction({ project }, (sql) =>
      sql.query<Row>(
        text,
        [project, ...values].map((value) => (typeof value === 'string' ? keptText(value) : value)),
      ),
    )
  return {
    async cursor(client, root) {
      const [row] = await ask<{ cursor: string }>(
        'SELECT cursor FROM ken.harvest_cursors WHERE project = $1 AND key = $2',
        keyOf(client, root),
      )
      return row?.cursor
    },
    async keepCursor(client, root, cursor) {
      await ask(
        `INSERT INTO ken.harvest_cursors (project, key, cursor) VALUES ($1, $2, $3)
         ON CONFLICT (project, key) DO UPDATE SET cursor = excluded.cursor`,
        keyOf(client, root),
        cursor,
      )
    },
    tombstones: () =>
      ask<Tombstone>(
        'SELECT client, session, why, ended, at FROM ken.tombstones WHERE project = $1 ORDER BY client, session',
      ),
    async bury(tombstones) {
      // Of two tombstones for a session the last wins, but a forgotten one has priority: one statement may touch a row
      // once.
      const stones = new Map<string, Tombstone>()
      for (const stone of tombstones) {
        const key = keyOf(stone.client, stone.session)
        if (stones.get(key)?.why !== 'forgotten' || stone.why === 'forgotten') stones.set(key, stone)
      }
      await ask(
        `INSERT INTO ken.tombstones AS old (project, key, client, session, why, ended, at)
         SELECT $1::text, key, client, session, why, ended, at FROM jsonb_to_recordset($2::text::jsonb)
           AS stone(key text, client text, session text, why text, ended text, at text) ORDER BY key
         ON CONFLICT (project, key) DO UPDATE SET why = excluded.why, ended = excluded.ended, at = excluded.at
         WHERE old.why <> 'forgotten' OR excluded.why = 'forgotten'`,
        asList([...stones].map(([key, stone]) => ({ ...stone, key }))),
      )
    },
    async raise(sessions) {
      await ask(
        `DELETE FROM ken.tombstones WHERE project = $1 AND why <> 'forgotten'
         AND key IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
        asList(sessions.map(({ client, session }) => keyOf(client, session))),
      )
    },
    async fact(name) {
      const [row] = await ask<{ value: string }>(
        'SELECT value FROM ken.facts WHERE project = $1 AND key = $2',
        keyOf(name),
      )
      return row?.value
    },
    async keepFact(name, value) {
      await ask(
        `INSERT INTO ken.facts (project, key, value) VALUES ($1, $2, $3)
         ON CONFLICT (project, key) DO UPDATE SET value = excluded.value`,
        keyOf(name),
        value,
      )
    },
    async close() {},
  }
}

/** The identifying names may be too long for an index. */
const keyOf = (...names: readonly string[]): string => sha256(JSON.stringify(names))
