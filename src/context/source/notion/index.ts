import { z } from 'zod'
import { defineSource } from '../../ports/source.ts'

export const notion = defineSource({
  key: 'notion',
  kind: 'notion',
  entries: 'one',
  config: z.strictObject({
    token: z.string().min(1),
    pages: z.array(z.string().min(1)).default([]).describe('Addresses or ids; all shared pages when empty.'),
    url: z.string().min(1).default('https://api.notion.com'),
  }),
  secrets: ['token'],
  reach: ({ url }) => [{ fetches: url }],
  recognise: ({ is, where }) =>
    is === 'address' && /^https:\/\/(?:[\w-]+\.)?notion\.(?:so|site)\//i.test(where)
      ? { fit: 'certain', entry: { pages: [where] } }
      : undefined,
  open: async ({ url, token, pages }, parts) =>
    (await import('./notion-source.ts')).openNotionSource({ url: parts.address(url), token, pages }),
})
