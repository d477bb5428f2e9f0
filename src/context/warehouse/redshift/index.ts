import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).default(5439),
  database: z.string().min(1),
  user: z.string().min(1),
  password: z.string(),
  ssl: z.boolean().default(true),
  schema: z.string().min(1).default('public'),
})

export type RedshiftConnection = z.output<typeof connection>

export const redshift = defineWarehouse({
  type: 'redshift',
  label: 'Redshift',
  place: 'server',
  connection,
  secrets: ['password'],
  open: async (given) => (await import('./redshift-engine.ts')).openRedshiftWarehouse(given),
})
