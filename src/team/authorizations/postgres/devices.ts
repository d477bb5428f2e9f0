import type { SqlDatabase, SqlSession } from '../../../kernel/ports/sql-database.ts'
import { afterPoll } from '../../domain/oauth/device-code.ts'
import { USED_CODE_LIVES } from '../../domain/oauth/lifetimes.ts'
import type { Scope } from '../../domain/oauth/scopes.ts'
import type { DeviceLogins, DevicePoll } from '../../ports/device-logins.ts'
import { addGrant, GRANT_COLUMNS, grantOf, type GrantRow } from './grant-rows.ts'

interface DeviceRow {
  readonly device_hash: string
  readonly user_hash: string
  readonly client: string
  readonly client_name: string
  readonly resource: string
  readonly scopes: readonly Scope[]
  readonly expires_at: string
}

interface PollRow {
  readonly client: string
  readonly expires_at: string
  readonly poll_interval: number
  readonly polled_at: string | null
  readonly is_denied: boolean
  readonly grant_id: string | null
}

const OPEN = 'user_hash = $1 AND expires_at > $2 AND NOT is_denied AND grant_id IS NULL'

export const postgresDevices = (database: SqlDatabase): DeviceLogins => ({
  begin: (login, { interval, now }) =>
    database.transaction('server', async (sql) => {
      await sql.query('DELETE FROM ken.oauth_devices WHERE expires_at <= $1', [
        new Date(now.getTime() - USED_CODE_LIVES).toISOString(),
      ])
      const added = await sql.query(
        `INSERT INTO ken.oauth_devices (device_hash, user_hash, client, client_name, resource, scopes, expires_at, poll_interval)
         VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7, $8) ON CONFLICT (user_hash) DO NOTHING RETURNING device_hash`,
        [
          login.deviceHash,
          login.userHash,
          login.client,
          login.clientName,
          login.resource,
          JSON.stringify(login.scopes),
          login.expiresAt.toISOString(),
          interval,
        ],
      )
      return added.length === 1
    }),
  waiting: (userHash, now) =>
    database.transaction('server', async (sql) => {
      const [row] = await sql.query<DeviceRow>(
        `SELECT device_hash, user_hash, client, client_name, resource, scopes, expires_at FROM ken.oauth_devices WHERE ${OPEN}`,
        [userHash, now.toISOString()],
      )
      return (
        row && {
          deviceHash: row.device_hash,
          userHash: row.user_hash,
          client: row.client,
          clientName: row.client_name,
          resource: row.resource,
          scopes: row.scopes,
          expiresAt: new Date(row.expires_at),
        }
      )
    }),
  answer: (userHash, answer, now) =>
    database.transaction('server', async (sql) => {
      const [open] = await sql.query(`SELECT device_hash FROM ken.oauth_devices WHERE ${OPEN} FOR UPDATE`, [
        userHash,
        now.toISOString(),
      ])
      if (open === undefined) return false
      if (answer !== 'denied') await addGrant(sql, answer)
      await sql.query('UPDATE ken.oauth_devices SET is_denied = $2, grant_id = $3 WHERE user_hash = $1', [
        userHash,
        answer === 'denied',
        answer === 'denied' ? null : answer.id,
      ])
      return true
    }),
  poll: (deviceHash, client, now) => database.transaction('server', (sql) => poll(sql, { deviceHash, client, now })),
})

async function poll(
  sql: SqlSession,
  { deviceHash, client, now }: { readonly deviceHash: string; readonly client: string; readonly now: Date },
): Promise<DevicePoll> {
  const [row] = await sql.query<PollRow>(
    'SELECT client, expires_at, poll_interval, polled_at, is_denied, grant_id FROM ken.oauth_devices WHERE device_hash = $1 FOR UPDATE',
    [deviceHash],
  )
  if (row === undefined || row.client !== client) return 'unknown'
  if (new Date(row.expires_at) <= now) return 'expired'
  const { tooEarly, interval } = afterPoll(
    { interval: row.poll_interval, polledAt: row.polled_at === null ? undefined : new Date(row.polled_at) },
    now,
  )
  if (tooEarly || (!row.is_denied && row.grant_id === null)) {
    await sql.query('UPDATE ken.oauth_devices SET polled_at = $2, poll_interval = $3 WHERE device_hash = $1', [
      deviceHash,
      now.toISOString(),
      interval,
    ])
    return tooEarly ? 'slow down' : 'pending'
  }
  await sql.query('DELETE FROM ken.oauth_devices WHERE device_hash = $1', [deviceHash])
  if (row.is_denied) return 'denied'
  const [grant] = await sql.query<GrantRow>(`SELECT ${GRANT_COLUMNS} FROM ken.oauth_grants g WHERE g.id = $1`, [
    row.grant_id,
  ])
  return grant === undefined ? 'unknown' : grantOf(grant)
}
