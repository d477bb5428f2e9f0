import { z } from 'zod'
import { entryName, globs } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

export const airflow = defineSource({
  key: 'airflow',
  kind: 'airflow',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('airflow'),
    path: z.string().min(1).describe('The folder of the DAG files. They are read, never run.'),
    include: globs,
    exclude: globs,
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path, include, exclude }, parts) =>
    (await import('./airflow-source.ts')).openAirflowSource({
      path: parts.path(path),
      target: `docs/airflow/${name}`,
      include,
      exclude,
    }),
})
