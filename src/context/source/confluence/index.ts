import { z } from 'zod'
import { defineSource } from '../../ports/source.ts'

export const confluence = defineSource({
  key: 'confluence',
  kind: 'confluence',
  entries: 'one',
  config: z.strictObject({
    url: z.string().min(1).describe('https://example.atlassian.net/wiki'),
    email: z.string().optional(),
    token: z.string().min(1),
    spaces: z.array(z.string().min(1)).min(1).describe('Space keys.'),
  }),
  secrets: ['token'],
  reach: ({ url }) => [{ fetches: url }],
  recognise({ is, where }) {
    const [, url, space] =
      /^(https:\/\/[\w.-]+\.atlassian\.net\/wiki)\/spaces\/([\w~-]+)/i.exec(is === 'address' ? where : '') ?? []
    return url && space ? { fit: 'certain', entry: { url, spaces: [space] } } : undefined
  },
  open: async ({ url, email, token, spaces }, parts) =>
    (await import('./confluence-source.ts')).openConfluenceSource({ url: parts.address(url), email, token, spaces }),
})
