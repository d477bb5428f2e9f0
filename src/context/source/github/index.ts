import { join } from 'node:path'
import { z } from 'zod'
import { entryName } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

const config = z
  .strictObject({
    name: entryName.default('github'),
    repository: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/, 'a repository is owner/name')
      .optional()
      .describe('owner/name; with path, selects one from an export of several.'),
    path: z
      .string()
      .min(1)
      .optional()
      .describe(
        'An export instead of the API: files of `gh issue list --json …` or `gh pr list --json …`, or a migration archive that was unpacked.',
      ),
    url: z
      .string()
      .min(1)
      .default('https://api.github.com')
      .describe('https://github.example.com/api/v3 for GitHub Enterprise.'),
    token: z
      .string()
      .min(1)
      .optional()
      .describe('Needed for private repositories; without one GitHub answers 60 requests an hour.'),
    state: z.enum(['open', 'closed', 'all']).default('all'),
    since: z.iso.date().optional().describe('Only what changed since this day.'),
    bots: z.boolean().default(false).describe('Comments of apps as well.'),
  })
  .refine(({ repository, path }) => repository !== undefined || path !== undefined, {
    error: 'give a repository or a path',
    params: { hint: 'repository for the API, path for an export on this machine.' },
  })

const addressOf = (url: string, repository = ''): string => `${url.replace(/\/+$/, '')}/repos/${repository}`

/** Issues and pull requests, from the API or from an export. */
export const github = defineSource({
  key: 'github',
  kind: 'github',
  entries: 'list or one',
  config,
  secrets: ['token'],
  reach: ({ url, repository, path }) => [
    path === undefined ? { fetches: addressOf(url, repository) } : { opens: path },
  ],
  async open({ name, url, repository, path, token, ...rules }, parts) {
    const target = `docs/github/${name}`
    if (path !== undefined)
      return (await import('./export-source.ts')).openGithubExport({
        ...rules,
        path: parts.path(path),
        repository,
        target,
      })
    return (await import('./github-source.ts')).openGithubSource({
      ...rules,
      address: parts.address(addressOf(url, repository)),
      token,
      target,
      cache: join(parts.cache, 'github', `${name}.json`),
    })
  },
})
