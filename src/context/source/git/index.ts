import { join } from 'node:path'
import { z } from 'zod'
import { entryName, globs, URL_OR_PATH, urlOrPath } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

const repository = z
  .strictObject({
    name: entryName,
    url: z.string().min(1).optional().describe('The clone address.'),
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
  recognise: ({ is, where, names }) => {
    if (is === 'address') return isRepository(where) ? { fit: 'likely', entry: { url: where } } : undefined
    return names.includes('.git') ? { fit: 'likely', entry: { path: where } } : undefined
  },
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

const HOSTS = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|git\.sr\.ht)$/i

/** A git-only address, an address that ends in .git, or `owner/name` on a repository host. */
function isRepository(address: string): boolean {
  if (/^(?:git|ssh|git\+ssh):\/\/|^[\w.-]+@[\w.-]+:/i.test(address)) return true
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const parts = url.pathname.split('/').filter((part) => part !== '')
  return url.pathname.endsWith('.git') || (HOSTS.test(url.hostname) && parts.length === 2)
}
