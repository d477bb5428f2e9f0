import { z } from 'zod'
import { entryName } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

export const openlineage = defineSource({
  key: 'openlineage',
  kind: 'openlineage',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('openlineage'),
    path: z.string().min(1).describe('A file or folder of run events: .json, or .ndjson and .jsonl with one per line.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path }, parts) =>
    (await import('./openlineage-source.ts')).openOpenLineageSource({
      path: parts.path(path),
      target: `docs/openlineage/${name}`,
    }),
})
