import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Authorizations, Rotation } from '../../ports/authorizations.ts'
import { GRANT_COLUMNS, grantOf, type GrantRow } from './grant-rows.ts'

/** Locks the grant's row first, so of two uses of the same token one rotates it and the other is detected. */
export async function rotateRefresh(
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
