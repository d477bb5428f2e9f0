import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z
  .strictObject({
    host: z.string().min(1).describe('dbc-….cloud.databricks.com'),
    http_path: z.string().min(1).describe('/sql/1.0/warehouses/…'),
    token: z
      .string()
      .min(1)
      .optional()
      .describe('Of a principal with SELECT only; Databricks has no read-only session.'),
    client_id: z.string().min(1).optional().describe('OAuth of a service principal, with client_secret.'),
    client_secret: z.string().min(1).optional(),
    browser: z.boolean().default(false).describe('OAuth as a person, who signs in with a browser.'),
    catalog: z.string().min(1),
    schema: z.string().min(1).default('default'),
  })
  .refine(({ client_id, client_secret }) => (client_id === undefined) === (client_secret === undefined), {
    error: 'client_id and client_secret belong together',
  })
  .refine(
    ({ token, client_id, browser }) =>
      [token !== undefined, client_id !== undefined, browser].filter(Boolean).length === 1,
    {
      error: 'give token, or client_id and client_secret, or browser: true',
    },
  )

export type DatabricksConnection = z.output<typeof connection>

export const databricks = defineWarehouse({
  type: 'databricks',
  label: 'Databricks',
  place: 'server',
  connection,
  secrets: ['token', 'client_secret'],
  open: async (given) => (await import('./databricks-engine.ts')).openDatabricksWarehouse(given),
})
