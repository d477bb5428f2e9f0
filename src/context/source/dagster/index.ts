import { z } from 'zod'
import { entryName, globs } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

export const dagster = defineSource({
  key: 'dagster',
  kind: 'dagster',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('dagster'),
    path: z.string().min(1).describe('The folder of the definitions. They are read, never run.'),
    include: globs,
    exclude: globs,
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path, include, exclude }, parts) =>
    (await import('./dagster-source.ts')).openDagsterSource({
      path: parts.path(path),
      target: `docs/dagster/${name}`,
      include,
      exclude,
    }),
})
