import type { ConnectionOptions } from 'mysql2'
import type { MysqlConnection } from './index.ts'

interface Address {
  readonly options: ConnectionOptions
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: MysqlConnection): Address {
  const url = given.url === undefined ? undefined : new URL(given.url)
  const database = given.database ?? decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = given.password ?? (url?.password ? decodeURIComponent(url.password) : undefined)
  const user = given.user ?? (url?.username ? decodeURIComponent(url.username) : undefined)
  return {
    options: {
      ...(given.socket === undefined
        ? { host: given.host ?? (url?.hostname || 'localhost'), port: given.port ?? Number(url?.port || 3306) }
        : { socketPath: given.socket }),
      database,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(given.ssl ? { ssl: {} } : {}),
    },
    database,
    secrets: [given.url, password, url?.password],
  }
}
