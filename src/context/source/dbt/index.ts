import { z } from 'zod'
import { entryName } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

export const dbt = defineSource({
  key: 'dbt',
  kind: 'dbt',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('dbt'),
    path: z
      .string()
      .min(1)
      .describe('The dbt project. Its manifests in target/ are read, and its YAML for everything else.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  recognise: ({ where, names }) =>
    names.includes('dbt_project.yml') ? { fit: 'certain', entry: { path: where } } : undefined,
  open: async ({ name, path }, parts) =>
    (await import('./dbt-source.ts')).openDbtSource({ folder: parts.path(path), target: `docs/dbt/${name}` }),
  describeTables: async ({ path }, parts) => (await import('./dbt-source.ts')).readDbtNotes(parts.path(path)),
})
