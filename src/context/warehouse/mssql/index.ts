import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).default(1433),
  database: z.string().min(1),
  user: z.string().min(1).describe('With db_datareader only: SQL Server has no read-only session.'),
  password: z.string(),
  schema: z.string().min(1).default('dbo'),
  encrypt: z.boolean().default(true),
  trust_server_certificate: z.boolean().default(false),
})

export type MssqlConnection = z.output<typeof connection>

export const mssql = defineWarehouse({
  type: 'mssql',
  label: 'SQL Server',
  place: 'server',
  connection,
  secrets: ['password'],
  open: async (given) => (await import('./mssql-engine.ts')).openMssqlWarehouse(given),
})
