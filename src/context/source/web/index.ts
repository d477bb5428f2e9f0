import { z } from 'zod'
import { entryName, globs, URL_OR_PATH, urlOrPath } from '../../domain/context-project/source-rules.ts'
import { defineSource } from '../../ports/source.ts'

const documents = z
  .strictObject({
    name: entryName,
    url: z.string().min(1).optional().describe('A page, or an llms.txt; its links on the same host are followed.'),
    path: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A folder of documents on this machine, such as an export of Google Drive; .html and .docx become Markdown.',
      ),
    include: globs,
    exclude: globs,
  })
  .refine(urlOrPath, URL_OR_PATH)

/** Documents: web pages, or files of a folder. */
export const docs = defineSource({
  key: 'docs',
  kind: 'docs',
  entries: 'list',
  config: documents,
  secrets: [],
  reach: ({ url, path = '' }) => [url === undefined ? { opens: path } : { fetches: url }],
  recognise: ({ is, where }) => {
    if (is === 'folder') return { fit: 'possible', entry: { path: where } }
    return is === 'address' && /^https?:\/\//i.test(where) ? { fit: 'possible', entry: { url: where } } : undefined
  },
  async open({ name, url, path = '', include, exclude }, parts) {
    const where = { target: `docs/${name}`, include, exclude }
    if (url === undefined) {
      const { LARGEST_OFFICE_FILE, OFFICE_FILE, readOfficeFile } = await import('./office-file.ts')
      return (await import('../folder-source.ts')).openFolderSource({
        ...where,
        folder: parts.path(path),
        root: parts.root,
        converted: { fits: OFFICE_FILE, largest: LARGEST_OFFICE_FILE, read: readOfficeFile },
      })
    }
    return (await import('./web-source.ts')).openWebSource({ ...where, url: parts.address(url) })
  },
})
