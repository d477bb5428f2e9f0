import { z } from 'zod'
import { AppError } from '../../../kernel/domain/errors.ts'
import { entryName, URL_OR_PATH, urlOrPath } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

const entry = z
  .strictObject({
    name: entryName.default('metabase'),
    url: z.string().min(1).optional().describe('https://metabase.example.com'),
    key: z.string().min(1).optional().describe('A Metabase API key of a group that may read the questions.'),
    path: z
      .string()
      .min(1)
      .optional()
      .describe('The folder of an export (serialization, remote sync), in place of url.'),
    collections: z
      .array(z.union([z.string().min(1), z.number().int()]))
      .default([])
      .describe('With url: names or numbers of collections, with all below; all but personal ones when empty.'),
  })
  .refine(urlOrPath, URL_OR_PATH)

/** Metabase: its questions, models, metrics and dashboards, and its descriptions of tables. */
export const metabase = defineSource({
  key: 'metabase',
  kind: 'metabase',
  entries: 'list or one',
  config: entry,
  secrets: ['key'],
  reach: ({ url, path = '' }) => [url === undefined ? { opens: path } : { fetches: url }],
  async open({ name, url, key, path = '', collections }, parts) {
    const target = `docs/metabase/${name}`
    if (url === undefined)
      return (await import('./metabase-export.ts')).openMetabaseExport({ folder: parts.path(path), target })
    if (key === undefined)
      throw new AppError('invalid_input', 'metabase needs an API key in addition to its url.', {
        hint: 'Create one in the Metabase admin settings, and write key: ${METABASE_API_KEY}.',
      })
    return (await import('./metabase-source.ts')).openMetabaseSource({
      url: parts.address(url),
      key,
      collections: collections.map(String),
      target,
    })
  },
})
