import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  host: z.string().min(1).describe('dbc-….cloud.databricks.com'),
  http_path: z.string().min(1).describe('/sql/1.0/warehouses/…'),
  token: z.string().min(1).describe('Of a principal with SELECT only: Databricks has no read-only session.'),
  catalog: z.string().min(1),
  schema: z.string().min(1).default('default'),
})

export type DatabricksConnection = z.output<typeof connection>

export const databricks = defineWarehouse({
  type: 'databricks',
  label: 'Databricks',
  place: 'server',
  connection,
  secrets: ['token'],
  open: async (given) => (await import('./databricks-engine.ts')).openDatabricksWarehouse(given),
})
