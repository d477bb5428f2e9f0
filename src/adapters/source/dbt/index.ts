import { z } from 'zod'
import { entryName } from '../../../core/context-project/source-rules.ts'
import { defineSource } from '../../../ports/source.ts'

const manifestOf = (path: string): string => `${path}/target/manifest.json`

export const dbt = defineSource({
  key: 'dbt',
  kind: 'dbt',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('dbt'),
    path: z.string().min(1).describe('The dbt project; target/manifest.json is read.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: manifestOf(path) }],
  open: async ({ name, path }, parts) =>
    (await import('./dbt-source.ts')).openDbtSource({
      manifest: parts.path(manifestOf(path)),
      target: `docs/dbt/${name}`,
    }),
  describeTables: async ({ path }, parts) =>
    (await import('./dbt-source.ts')).readDbtNotes(parts.path(manifestOf(path))),
})
