import type { Options } from 'postgres'
import { z } from 'zod'

export const connection = z
  .strictObject({
    url: z
      .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
      .optional()
      .describe('postgres://user:password@host:5432/database'),
    host: z.string().min(1).optional(),
    port: z.number().int().min(1).max(65535).optional(),
    database: z.string().min(1).optional(),
    user: z.string().min(1).optional(),
    password: z.string().optional(),
    ssl: z
      .union([z.boolean(), z.enum(['require', 'prefer', 'verify-full'])])
      .optional()
      .describe('true is the same as require'),
  })
  .refine((given) => (given.url === undefined) !== (given.database === undefined), {
    error: 'give either url, or host, port, database, user and password',
  })

interface Address {
  readonly options: Options<Record<string, never>>
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: z.output<typeof connection>): Address {
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
      ...(ssl === undefined ? {} : { ssl: ssl === true ? 'require' : ssl }),
      connection: { application_name: 'ken' },
    },
    database,
    secrets: [given.url, password, url?.password],
  }
}

function sslOf(mode: string | null | undefined): 'require' | 'prefer' | 'verify-full' | undefined {
  if (mode === 'require' || mode === 'prefer' || mode === 'verify-full') return mode
  return mode === 'verify-ca' ? 'verify-full' : undefined
}
