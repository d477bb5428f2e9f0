import type { ClientConfig } from 'pg'
import type { PostgresConnection } from './index.ts'

interface Address {
  readonly options: ClientConfig
  /** Connects without TLS if the server has none. */
  readonly prefersTls: boolean
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: PostgresConnection): Address {
  const url = given.url === undefined ? undefined : new URL(given.url)
  const database = given.database ?? decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = given.password ?? (url?.password ? decodeURIComponent(url.password) : undefined)
  const port = given.port ?? Number(url?.port || 5432)
  const user = given.user ?? (url?.username ? decodeURIComponent(url.username) : undefined)
  const ssl = given.ssl ?? sslOf(url?.searchParams.get('sslmode'))
  return {
    options: {
      host: given.host ?? (url?.hostname || 'localhost'),
      port,
      database,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ssl: ssl === 'verify-full' || (ssl !== false && { rejectUnauthorized: false }),
    },
    prefersTls: ssl === 'prefer',
    database,
    secrets: [given.url, password, url?.password],
  }
}

function sslOf(mode: string | null | undefined): 'require' | 'prefer' | 'verify-full' | false {
  if (mode === 'require' || mode === 'prefer' || mode === 'verify-full') return mode
  return mode === 'verify-ca' && 'verify-full'
}
