import { z } from 'zod'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()

/** Contents of a backup. Tables follow one another in the file, in this order. */
export const manifestSchema = z.strictObject({
  format: z.literal(1),
  ken: z.string(),
  postgres: z.string(),
  at: z.iso.datetime(),
  /** Migrations that create the tables. */
  migrations: z.array(z.strictObject({ number: z.int().positive(), name: z.string(), hash: sha256 })).min(1),
  /** Whether vectors were also stored in the server's vector type. */
  vectors: z.boolean(),
  tables: z
    .array(
      z.strictObject({
        name: z.string(),
        columns: z.array(z.strictObject({ name: z.string(), type: z.string() })).min(1),
        rows: count,
        bytes: count,
        sha256,
      }),
    )
    .min(1),
  sequences: z.array(z.strictObject({ name: z.string(), last: z.string().regex(/^-?\d+$/), called: z.boolean() })),
})

export type Manifest = z.infer<typeof manifestSchema>
