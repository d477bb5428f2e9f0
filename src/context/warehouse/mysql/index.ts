import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z
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
  .refine((given) => given.url === undefined || !URL.canParse(given.url) || new URL(given.url).pathname.length > 1, {
    error: 'the url names no database',
  })

export type MysqlConnection = z.output<typeof connection>

export const mysql = defineWarehouse({
  type: 'mysql',
  label: 'MySQL, MariaDB',
  place: 'server',
  connection,
  secrets: ['password'],
  recognise: ({ is, where }) =>
    is === 'address' && /^(?:mysql|mariadb):\/\//i.test(where) ? { fit: 'certain', entry: { url: where } } : undefined,
  open: async (given) => (await import('./mysql-warehouse.ts')).openMysqlWarehouse(given),
})
