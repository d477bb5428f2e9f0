import { z } from 'zod'
import { entryName } from '../../../core/context-project/source-rules.ts'
import { defineSource } from '../../../ports/source.ts'

/** Metabase: its questions, models, metrics and dashboards, and what it says of tables. */
export const metabase = defineSource({
  key: 'metabase',
  kind: 'metabase',
  entries: 'list or one',
  config: z.strictObject({
    name: entryName.default('metabase'),
    url: z.string().min(1).describe('https://metabase.example.com'),
    key: z.string().min(1).describe('An API key of Metabase, of a group that may see what is to be read.'),
    collections: z
      .array(z.union([z.string().min(1), z.number().int()]))
      .default([])
      .describe('Names or numbers of collections, with all below them; all but personal ones when empty.'),
  }),
  secrets: ['key'],
  reach: ({ url }) => [{ fetches: url }],
  open: async ({ name, url, key, collections }, parts) =>
    (await import('./metabase-source.ts')).openMetabaseSource({
      url: parts.address(url),
      key,
      collections: collections.map(String),
      target: `docs/metabase/${name}`,
    }),
})
