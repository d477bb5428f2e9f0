import type { SqlDatabase, SqlSession } from '../../../kernel/ports/sql-database.ts'
import { USED_CODE_LIVES } from '../../domain/oauth/lifetimes.ts'
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts'
import type { Scope } from '../../domain/oauth/scopes.ts'
import type { Authorizations, AuthorizationStore, Rotation } from '../../ports/authorizations.ts'
import type { OAuthClients } from '../../ports/oauth-clients.ts'
import { UNUSED_CLIENT_LIVES } from '../unused-clients.ts'
import { postgresDevices } from './devices.ts'
import { addGrant, GRANT_COLUMNS, grantOf, type GrantRow } from './grant-rows.ts'

/** Shared by all replicas of a team server. Row locks ensure that one-time actions happen only once. */
export const openPostgresAuthorizations = (database: SqlDatabase): AuthorizationStore => ({
  authorizations: postgresGrants(database),
  clients: postgresClients(database),
  devices: postgresDevices(database),
})

interface CodeRow extends GrantRow {
  readonly challenge: string
  readonly redirect_uri: string
  readonly expires_at: string
}

function postgresGrants(database: SqlDatabase): Authorizations {
  const inOneStep = <T>(work: (sql: SqlSession) => Promise<T>): Promise<T> => database.transaction('server', work)
  return {
    offerCode: (grant, { hash, challenge, redirectUri, expiresAt }) =>
      inOneStep(async (sql) => {
        await addGrant(sql, grant)
        await sql.query(
          'INSERT INTO ken.oauth_codes (hash, grant_id, challenge, redirect_uri, expires_at) VALUES ($1, $2, $3, $4, $5)',
          [hash, grant.id, challenge, redirectUri, expiresAt.toISOString()],
        )
      }),
    takeCode: (hash, now) => inOneStep((sql) => takeCode(sql, hash, now)),
    issue: (grant, { access, refresh }, now) =>
      inOneStep(async (sql) => {
        // Locked, so that ending the grant at this moment also ends these tokens.
        const [standing] = await sql.query(
          'SELECT id FROM ken.oauth_grants WHERE id = $1 AND ends_at > $2 FOR UPDATE',
          [grant, now.toISOString()],
        )
        if (standing === undefined) return false
        await sql.query(
          'INSERT INTO ken.oauth_access_tokens (hash, grant_id, scopes, expires_at) VALUES ($1, $2, $3::text::jsonb, $4)',
          [access.hash, grant, JSON.stringify(access.scopes), access.expiresAt.toISOString()],
        )
        if (refresh)
          await sql.query('INSERT INTO ken.oauth_refresh_tokens (hash, grant_id, expires_at) VALUES ($1, $2, $3)', [
            refresh.hash,
            grant,
            refresh.expiresAt.toISOString(),
          ])
        return true
      }),
    rotate: (rotation, next) => inOneStep((sql) => rotateRefresh(sql, rotation, next)),
    async find(hash, now) {
      const [row] = await inOneStep((sql) =>
        sql.query<GrantRow & { readonly given: readonly Scope[]; readonly expires_at: string }>(
          `SELECT ${GRANT_COLUMNS}, t.scopes AS given, t.expires_at
             FROM ken.oauth_access_tokens t JOIN ken.oauth_grants g ON g.id = t.grant_id
            WHERE t.hash = $1 AND t.expires_at > $2 AND g.ends_at > $2`,
          [hash, now.toISOString()],
        ),
      )
      return row && { grant: grantOf(row), scopes: row.given, expiresAt: new Date(row.expires_at) }
    },
    revoke: (what) =>
      inOneStep(async (sql) => {
        const ended =
          'grant' in what
            ? sql.query<GrantRow>(
                `DELETE FROM ken.oauth_grants g WHERE g.id = $1 AND g.person = $2 RETURNING ${GRANT_COLUMNS}`,
                [what.grant, what.person],
              )
            : sql.query<GrantRow>(
                `DELETE FROM ken.oauth_grants g WHERE g.client = $2 AND g.id IN (
                   SELECT grant_id FROM ken.oauth_access_tokens WHERE hash = $1
                   UNION ALL SELECT grant_id FROM ken.oauth_refresh_tokens WHERE hash = $1)
                 RETURNING ${GRANT_COLUMNS}`,
                [what.token, what.client],
              )
        return (await ended).map(grantOf)
      }),
    list: async (person, now) =>
      (
        await inOneStep((sql) =>
          sql.query<GrantRow>(
            `SELECT ${GRANT_COLUMNS} FROM ken.oauth_grants g WHERE g.person = $1 AND g.ends_at > $2 ORDER BY g.created_at DESC`,
            [person, now.toISOString()],
          ),
        )
      ).map(grantOf),
    sweep: (now) =>
      inOneStep(async (sql) => {
        const at = now.toISOString()
        await sql.query('DELETE FROM ken.oauth_grants WHERE ends_at <= $1', [at])
        await sql.query('DELETE FROM ken.oauth_access_tokens WHERE expires_at <= $1', [at])
        await sql.query('DELETE FROM ken.oauth_refresh_tokens WHERE expires_at <= $1', [at])
        await sql.query('DELETE FROM ken.oauth_codes WHERE expires_at <= $1', [
          new Date(now.getTime() - USED_CODE_LIVES).toISOString(),
        ])
        await sql.query('DELETE FROM ken.oauth_tallies WHERE until <= $1', [at])
      }),
  }
}

async function takeCode(sql: SqlSession, hash: string, now: Date): ReturnType<Authorizations['takeCode']> {
  // If two requests are concurrent, the second waits for the row, and then finds it used.
  const [taken] = await sql.query<CodeRow>(
    `UPDATE ken.oauth_codes c SET used_at = $2 FROM ken.oauth_grants g
      WHERE c.hash = $1 AND c.used_at IS NULL AND c.expires_at > $2 AND g.id = c.grant_id AND g.ends_at > $2
      RETURNING ${GRANT_COLUMNS}, c.challenge, c.redirect_uri, c.expires_at`,
    [hash, now.toISOString()],
  )
  if (taken !== undefined)
    return {
      grant: grantOf(taken),
      code: {
        hash,
        challenge: taken.challenge,
        redirectUri: taken.redirect_uri,
        expiresAt: new Date(taken.expires_at),
      },
    }
  await sql.query(
    'DELETE FROM ken.oauth_grants WHERE id = (SELECT grant_id FROM ken.oauth_codes WHERE hash = $1 AND used_at IS NOT NULL)',
    [hash],
  )
  return undefined
}

const postgresClients = (database: SqlDatabase): OAuthClients => ({
  add: (client, { most, now }) =>
    database.transaction('server', async (sql) => {
      // Registrations run one at a time: two concurrent ones could otherwise both count a free place.
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

/** Locks the grant's row first, so that one of two uses of the same token rotates it and the other is detected. */
async function rotateRefresh(
  sql: SqlSession,
  { hash, client, scopes, now }: Rotation,
  next: Parameters<Authorizations['rotate']>[1],
): ReturnType<Authorizations['rotate']> {
  const at = now.toISOString()
  const [row] = await sql.query<GrantRow>(
    `SELECT ${GRANT_COLUMNS} FROM ken.oauth_grants g
      WHERE g.id = (SELECT grant_id FROM ken.oauth_refresh_tokens WHERE hash = $1) AND g.ends_at > $2 FOR UPDATE`,
    [hash, at],
  )
  if (row === undefined) return undefined
  const [token] = await sql.query<{ readonly expires_at: string; readonly used_at: string | null }>(
    'SELECT expires_at, used_at FROM ken.oauth_refresh_tokens WHERE hash = $1',
    [hash],
  )
  if (token === undefined) return undefined
  const grant = grantOf(row)
  if (token.used_at !== null || grant.client !== client) {
    await sql.query('DELETE FROM ken.oauth_grants WHERE id = $1', [grant.id])
    return undefined
  }
  if (new Date(token.expires_at) <= now) return undefined
  if (scopes?.some((scope) => !grant.scopes.includes(scope))) return 'too wide'
  const given = scopes ?? grant.scopes
  await sql.query('UPDATE ken.oauth_refresh_tokens SET used_at = $2 WHERE hash = $1', [hash, at])
  await sql.query(
    'INSERT INTO ken.oauth_access_tokens (hash, grant_id, scopes, expires_at) VALUES ($1, $2, $3::text::jsonb, $4)',
    [next.access.hash, grant.id, JSON.stringify(given), next.access.expiresAt.toISOString()],
  )
  if (next.refresh)
    await sql.query('INSERT INTO ken.oauth_refresh_tokens (hash, grant_id, expires_at) VALUES ($1, $2, $3)', [
      next.refresh.hash,
      grant.id,
      next.refresh.expiresAt.toISOString(),
    ])
  return { grant, scopes: given, expiresAt: next.access.expiresAt }
}
