import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  account: z.string().min(1).describe('organisation-account, as in the address before .snowflakecomputing.com'),
  user: z.string().min(1),
  password: z.string().optional(),
  private_key_path: z.string().optional(),
  private_key_passphrase: z.string().optional(),
  authenticator: z
    .enum([
      'SNOWFLAKE',
      'SNOWFLAKE_JWT',
      'EXTERNALBROWSER',
      'OAUTH',
      'USERNAME_PASSWORD_MFA',
      'PROGRAMMATIC_ACCESS_TOKEN',
    ])
    .optional(),
  token: z.string().optional().describe('For OAUTH and PROGRAMMATIC_ACCESS_TOKEN.'),
  database: z.string().min(1),
  schema: z.string().min(1).default('PUBLIC'),
  warehouse: z.string().optional(),
  role: z.string().optional().describe('Give it SELECT only: Snowflake has no read-only session.'),
})

export type SnowflakeConnection = z.output<typeof connection>

export const snowflake = defineWarehouse({
  type: 'snowflake',
  label: 'Snowflake',
  place: 'server',
  connection,
  secrets: ['password', 'private_key_passphrase', 'token'],
  open: async (given) => (await import('./snowflake-engine.ts')).openSnowflakeWarehouse(given),
})
