import { AppError } from '../../../kernel/domain/errors.ts'
import { objectOf, objectsOf, textOf, type Loose } from '../../domain/sources/loose-value.ts'
import { allParts, openSourceHttp } from '../source-http.ts'

export interface MetabaseApi {
  /** Whole list, plain or wrapped in `data`. */
  list(path: string): Promise<readonly Loose[]>
  /** A list that a release or a group may lack; empty in that case. */
  listIfAny(path: string): Promise<readonly Loose[]>
  items(collection: string): Promise<readonly Loose[]>
  one(path: string): Promise<Loose>
  /** Single object; undefined if it is too large or not visible. */
  oneIfAny(path: string): Promise<Loose | undefined>
}

const PAGE = 200
const NOT_THERE = new Set([400, 402, 403, 404, 405, 413])

export function openMetabaseApi(url: string, key: string): MetabaseApi {
  const site = url.replace(/\/+$/, '')
  const http = openSourceHttp([new URL(site).host], { 'x-api-key': key, accept: 'application/json' })
  const get = (path: string): Promise<unknown> => http.json(`${site}${path}`)
  const unlessMissing = async <T>(ask: () => Promise<T>, instead: T): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      if (NOT_THERE.has((error as { status?: number }).status ?? 0)) return instead
      throw error
    }
  }
  const api: MetabaseApi = {
    async list(path) {
      const answer = await get(path)
      const found = Array.isArray(answer) ? answer : objectOf(answer)['data']
      // Items missing from a list are deleted from the tree, so no other value may pass for an empty list.
      if (!Array.isArray(found)) throw strange(path)
      return objectsOf(found)
    },
    listIfAny: (path) => unlessMissing(() => api.list(path), []),
    items: (collection) =>
      allParts('Metabase', '0', async (offset) => {
        const path = `/api/collection/${encodeURIComponent(collection)}/items`
        const answer = objectOf(await get(`${path}?limit=${PAGE}&offset=${offset}`))
        const found = answer['data']
        if (!Array.isArray(found)) throw strange(path)
        const end = Number(offset) + found.length
        // Releases without paging return everything, and no total.
        const total = Number(answer['total'] ?? end)
        if (found.length === 0 && end < total) throw strange(path)
        return { found: objectsOf(found), next: end < total ? String(end) : undefined }
      }),
    async one(path) {
      const answer = objectOf(await get(path))
      if (textOf(answer['id']) === undefined) throw strange(path)
      return answer
    },
    oneIfAny: (path) => unlessMissing<Loose | undefined>(() => api.one(path), undefined),
  }
  return api
}

const strange = (path: string): AppError =>
  new AppError('unavailable', `Metabase returned an unexpected answer for ${path}.`, {
    hint: 'Check the Metabase address.',
  })
