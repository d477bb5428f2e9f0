import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z
  .strictObject({
    host: z.string().min(1),
    port: z.number().int().min(1).max(65535).default(8080),
    ssl: z.boolean().default(false),
    catalog: z.string().min(1),
    schema: z.string().min(1).default('default'),
    user: z.string().min(1).describe('With rights to read only.'),
    password: z.string().optional(),
    token: z
      .string()
      .min(1)
      .optional()
      .describe('A JSON Web Token, or an OAuth 2.0 access token, instead of a password.'),
    certificate_path: z.string().optional().describe('Client certificate in PEM form, with its key in key_path.'),
    key_path: z.string().optional(),
    ca_path: z.string().optional().describe("Certificate of the authority that signed the server's own."),
  })
  .refine(({ password, token }) => password === undefined || token === undefined, {
    error: 'give password or token, not both',
  })
  .refine(({ ssl, token, certificate_path, ca_path }) => ssl || (token ?? certificate_path ?? ca_path) === undefined, {
    error: 'token and certificates need ssl: true',
  })
  .refine((given) => (given.certificate_path === undefined) === (given.key_path === undefined), {
    error: 'certificate_path and key_path belong together',
  })

export type TrinoConnection = z.output<typeof connection>

export const trino = defineWarehouse({
  type: 'trino',
  label: 'Trino',
  place: 'server',
  connection,
  secrets: ['password', 'token'],
  open: async (given) => (await import('./trino-engine.ts')).openTrinoWarehouse(given),
})
