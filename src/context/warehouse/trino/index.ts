import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).default(8080),
  ssl: z.boolean().default(false),
  catalog: z.string().min(1),
  schema: z.string().min(1).default('default'),
  user: z.string().min(1).describe('With rights to read only.'),
  password: z.string().optional(),
})

export type TrinoConnection = z.output<typeof connection>

export const trino = defineWarehouse({
  type: 'trino',
  label: 'Trino',
  place: 'server',
  connection,
  secrets: ['password'],
  open: async (given) => (await import('./trino-engine.ts')).openTrinoWarehouse(given),
})
