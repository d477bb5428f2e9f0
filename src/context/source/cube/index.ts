import { z } from 'zod'
import { entryName } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

/** Cube, through the files of its data model. */
export const cube = defineSource({
  key: 'cube',
  kind: 'cube',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('cube'),
    path: z.string().min(1).describe('A Cube project, or the folder of its data model.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path }, parts) =>
    (await import('./cube-source.ts')).openCubeSource({ folder: parts.path(path), target: `docs/cube/${name}` }),
})
