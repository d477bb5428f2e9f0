import type { ConnectionOptions } from 'mysql2'
import { z } from 'zod'

export const connection = z
  .strictObject({
    url: z
      .url({ protocol: /^(mysql|mariadb)$/, hostname: /.*/ })
      .optional()
      .describe('mysql://user:password@host:3306/database'),
    host: z.string().min(1).optional(),
    port: z.number().int().min(1).max(65535).optional(),
    database: z.string().min(1).optional(),
    user: z.string().min(1).optional(),
    password: z.string().optional(),
    ssl: z.boolean().optional(),
    socket: z.string().min(1).optional().describe('A Unix socket in place of host and port.'),
  })
  .refine((given) => (given.url === undefined) !== (given.database === undefined), {
    error: 'give either url, or host, port, database, user and password',
  })
  .refine((given) => given.url === undefined || new URL(given.url).pathname.length > 1, {
    error: 'the url names no database',
  })

interface Address {
  readonly options: ConnectionOptions
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: z.output<typeof connection>): Address {
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
