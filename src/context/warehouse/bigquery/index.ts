import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  project: z.string().min(1),
  dataset: z
    .string()
    .min(1)
    .optional()
    .describe('Where bare table names are looked for, and the only one listed. Without it: all of the location.'),
  location: z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe("Without it: the dataset's own, or US if there is no dataset."),
  credentials_path: z.string().optional(),
  credentials_json: z.string().refine(isJson, { error: 'credentials_json is not JSON' }).optional(),
  max_bytes_billed: z
    .number()
    .int()
    .positive()
    .default(10 * 1024 ** 3)
    .describe('A statement that would scan more is refused before it costs anything.'),
})

export type BigqueryConnection = z.output<typeof connection>

export const bigquery = defineWarehouse({
  type: 'bigquery',
  label: 'BigQuery',
  place: 'server',
  connection,
  secrets: ['credentials_json'],
  open: async (given) => (await import('./bigquery-engine.ts')).openBigqueryWarehouse(given),
})

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
