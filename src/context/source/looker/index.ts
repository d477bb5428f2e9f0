import { z } from 'zod'
import { entryName } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

/** Looker, through the LookML of its project. */
export const looker = defineSource({
  key: 'looker',
  kind: 'looker',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('looker'),
    path: z.string().min(1).describe('The folder of a LookML project, e.g. a checkout of its repository.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path }, parts) =>
    (await import('./looker-source.ts')).openLookerSource({ folder: parts.path(path), target: `docs/looker/${name}` }),
})
