import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z
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

export type PostgresConnection = z.output<typeof connection>

export const postgresql = defineWarehouse({
  type: 'postgres',
  label: 'PostgreSQL',
  place: 'server',
  connection,
  secrets: ['password'],
  recognise: ({ is, where }) =>
    is === 'address' && /^postgres(?:ql)?:\/\//i.test(where) ? { fit: 'certain', entry: { url: where } } : undefined,
  open: async (given) => (await import('./postgres-warehouse.ts')).openPostgresWarehouse(given),
})
