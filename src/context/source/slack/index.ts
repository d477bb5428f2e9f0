import { z } from 'zod'
import { entryName, globs } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

export const slack = defineSource({
  key: 'slack',
  kind: 'slack',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('slack'),
    path: z.string().min(1).describe('The export of a workspace: its zip file, or the folder it was unpacked to.'),
    include: globs.describe('Channels to take, by name; all when empty.'),
    exclude: globs.describe('Channels to leave out.'),
    private: z
      .enum(['none', 'channels', 'all'])
      .default('none')
      .describe('Private channels as well, or also direct messages; none of them by default.'),
    since: z.iso.date().optional().describe('The first day to include, e.g. 2026-01-01.'),
    bots: z.boolean().default(false).describe('Messages of apps as well.'),
    reactions: z.boolean().default(false).describe('Reactions as well.'),
  }),
  secrets: [],
  reach: ({ path }) => [{ opens: path }],
  open: async ({ name, path, ...rules }, parts) =>
    (await import('./slack-source.ts')).openSlackSource({
      ...rules,
      path: parts.path(path),
      target: `docs/slack/${name}`,
    }),
})
