import { join } from 'node:path'
import { z } from 'zod'
import { entryName, globs, URL_OR_PATH, urlOrPath } from '../../../core/context-project/source-rules.ts'
import { defineSource } from '../../../ports/source.ts'

const repository = z
  .strictObject({
    name: entryName,
    url: z.string().min(1).optional().describe('What git clones.'),
    path: z.string().min(1).optional().describe('A folder on this machine.'),
    branch: z.string().min(1).optional(),
    include: globs,
    exclude: globs,
  })
  .refine(urlOrPath, URL_OR_PATH)

/** Repositories: cloned with git, or copied from a folder. */
export const repositories = defineSource({
  key: 'repositories',
  kind: 'repository',
  entries: 'list',
  config: repository,
  secrets: [],
  reach: ({ url, path = '' }) => [url === undefined ? { opens: path } : { fetches: url, with: 'git' }],
  async open({ name, url, path = '', branch, include, exclude }, parts) {
    const where = { target: `repos/${name}`, include, exclude }
    if (url === undefined)
      return (await import('../folder-source.ts')).openFolderSource({
        ...where,
        folder: parts.path(path),
        root: parts.root,
      })
    return (await import('./git-source.ts')).openGitSource({
      ...where,
      url: parts.address(url),
      branch,
      clone: join(parts.cache, 'repos', name),
    })
  },
})
