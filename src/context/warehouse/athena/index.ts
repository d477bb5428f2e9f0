import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  region: z.string().min(1),
  database: z.string().min(1),
  catalog: z.string().min(1).default('AwsDataCatalog'),
  workgroup: z.string().min(1).default('primary'),
  output_location: z
    .string()
    .startsWith('s3://')
    .optional()
    .describe('Where Athena stores results, unless the workgroup defines it.'),
  access_key_id: z
    .string()
    .optional()
    .describe('Without keys the usual AWS chain is used: environment, profile, role.'),
  profile: z.string().min(1).optional().describe('A profile of ~/.aws/config and ~/.aws/credentials.'),
  secret_access_key: z.string().optional(),
  session_token: z.string().optional(),
})

export type AthenaConnection = z.output<typeof connection>

export const athena = defineWarehouse({
  type: 'athena',
  label: 'Athena',
  place: 'server',
  connection,
  secrets: ['secret_access_key', 'session_token'],
  open: async (given) => (await import('./athena-engine.ts')).openAthenaWarehouse(given),
})
