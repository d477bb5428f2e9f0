import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts'
import type { OAuthClients } from '../../ports/oauth-clients.ts'
import { UNUSED_CLIENT_LIVES } from '../unused-clients.ts'

export const postgresClients = (database: SqlDatabase): OAuthClients => ({
  add: (client, { most, now }) =>
    database.transaction('server', async (sql) => {
      // One at a time: two concurrent counts would both find room.
      await sql.query("SELECT pg_advisory_xact_lock(hashtextextended('ken oauth clients', 0))")
      await sql.query(
        `DELETE FROM ken.oauth_clients c WHERE c.created_at <= $1
           AND NOT EXISTS (SELECT FROM ken.oauth_grants g WHERE g.client = c.id)`,
        [new Date(now.getTime() - UNUSED_CLIENT_LIVES).toISOString()],
      )
      const added = await sql.query(
        `INSERT INTO ken.oauth_clients (id, metadata, created_at)
         SELECT $1, $2::text::jsonb, $3 WHERE (SELECT count(*) FROM ken.oauth_clients) < $4 RETURNING id`,
        [client.id, JSON.stringify(client), now.toISOString(), most],
      )
      return added.length === 1
    }),
  find: (id) =>
    database.transaction('server', async (sql) => {
      const [row] = await sql.query<{ readonly metadata: OAuthClient }>(
        'SELECT metadata FROM ken.oauth_clients WHERE id = $1',
        [id],
      )
      return row?.metadata
    }),
  tally: (bucket, { now, until }) =>
    database.transaction('server', async (sql) => {
      const [row] = await sql.query<{ readonly count: number }>(
        `INSERT INTO ken.oauth_tallies AS t (bucket, count, until) VALUES ($1, 1, $3)
         ON CONFLICT (bucket) DO UPDATE SET
           count = CASE WHEN t.until <= $2 THEN 1 ELSE t.count + 1 END,
           until = CASE WHEN t.until <= $2 THEN excluded.until ELSE t.until END
         RETURNING count`,
        [bucket, now.toISOString(), until.toISOString()],
      )
      return row!.count
    }),
})
