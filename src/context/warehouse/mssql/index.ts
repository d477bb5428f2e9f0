import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

/** Fields that each login needs. */
const LOGINS = {
  password: ['user', 'password'],
  ntlm: ['user', 'password', 'domain'],
  'entra-password': ['user', 'password', 'client_id', 'tenant_id'],
  'entra-service-principal': ['client_id', 'client_secret', 'tenant_id'],
  'entra-token': ['token'],
  'entra-default': [],
} as const

const connection = z
  .strictObject({
    host: z.string().min(1),
    port: z.number().int().min(1).max(65535).default(1433),
    database: z.string().min(1),
    login: z
      .enum(Object.keys(LOGINS) as (keyof typeof LOGINS)[])
      .default('password')
      .describe('entra-default: the identity of this machine, its environment or `az login`.'),
    user: z.string().min(1).optional().describe('With db_datareader only: SQL Server has no read-only session.'),
    password: z.string().optional(),
    domain: z.string().min(1).optional(),
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
    tenant_id: z.string().min(1).optional(),
    token: z.string().min(1).optional(),
    schema: z.string().min(1).default('dbo'),
    encrypt: z.boolean().default(true),
    trust_server_certificate: z.boolean().default(false),
  })
  .superRefine((given, { addIssue }) => {
    for (const field of LOGINS[given.login])
      if (given[field] === undefined)
        addIssue({ code: 'custom', path: [field], message: `login: ${given.login} needs ${field}` })
  })

export type MssqlConnection = z.output<typeof connection>

export const mssql = defineWarehouse({
  type: 'mssql',
  label: 'SQL Server',
  place: 'server',
  connection,
  secrets: ['password', 'client_secret', 'token'],
  open: async (given) => (await import('./mssql-engine.ts')).openMssqlWarehouse(given),
})
