import { AppError } from '../../../kernel/domain/errors.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { safeSegment, titleSegment } from '../../domain/context-project/safe-segment.ts'
import { objectOf, objectsOf, textOf, type Loose } from '../../domain/sources/loose-value.ts'
import {
  cardParts,
  cardsOf,
  collectionPlaces,
  dashboardParts,
  tableParts,
} from '../../domain/sources/metabase-pages.ts'
import { LONGEST_PAGE, pageText, type PagePart } from '../../domain/sources/page.ts'
import type { Source, SourceItem } from '../../ports/source.ts'
import { openMetabaseApi, type MetabaseApi } from './api.ts'
import { openNames, tableName, type KnownNames } from './names.ts'

export interface MetabaseParts {
  readonly url: string
  readonly key: string
  /** Names or numbers; all if empty. */
  readonly collections: readonly string[]
  readonly target: string
}

const FOLDERS = new Map([
  ['card', 'questions'],
  ['dataset', 'models'],
  ['metric', 'metrics'],
  ['dashboard', 'dashboards'],
])
const AT_ONCE = 6

/** Metabase questions and other saved items, through its API. */
export function openMetabaseSource({ url, key, collections, target }: MetabaseParts): Source {
  const api = openMetabaseApi(url, key)
  const site = url.replace(/\/+$/, '')
  const names = openNames()
  const kept = new Map<string, { readonly model: string; readonly id: string; readonly collection: string }>()
  const tables = new Map<string, string>()
  return {
    async list() {
      const described = await describedTables(api, names)
      const found = await keptItems(api, collections)
      for (const { item } of found) names.add('card', textOf(item['id'])!, textOf(item['name']) ?? '')
      const skipped = described.unread.map((title) => ({
        title,
        reason:
          'its tables are too many for one answer or may not be seen, so only those that questions use are looked up',
      }))
      const items: SourceItem[] = described.pages.map(({ id, title, text }) => {
        tables.set(id, text)
        const path = `${target}/tables/${safeSegment(title)}.md`
        return { id, title, path, fingerprint: sha256(text).slice(0, 16), maxAgeDays: undefined }
      })
      for (const { item, collection } of found) {
        const model = textOf(item['model'])!
        const id = `${model === 'dashboard' ? 'dashboard' : 'card'}-${textOf(item['id'])!}`
        kept.set(id, { model, id: textOf(item['id'])!, collection })
        items.push(itemOf(item, { id, collection, target, mark: names.mark(textOf(item['database_id'])) }))
      }
      return { items, skipped }
    },
    async fetch({ id, title }) {
      const known = kept.get(id)
      const text = known === undefined ? tables.get(id) : pageText(await partsOf(known, { api, names, site }))
      if (text === undefined) throw new AppError('not_found', `${title} no longer exists`)
      if (text.length > LONGEST_PAGE)
        throw new AppError('unavailable', 'its page would be longer than 1 MB.', { hint: 'Exclude its collection.' })
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

function itemOf(
  item: Loose,
  { id, collection, target, mark }: { id: string; collection: string; target: string; mark: string },
): SourceItem {
  const model = textOf(item['model'])!
  const title = textOf(item['name']) ?? 'Untitled'
  const edited = textOf(objectOf(item['last-edit-info'])['timestamp'])
  const seen = [title, collection, edited, textOf(item['description']), textOf(item['moderated_status']), mark]
  return {
    id,
    title,
    path: `${target}/${FOLDERS.get(model)!}/${safeSegment(titleSegment(title))}.md`,
    fingerprint: sha256(JSON.stringify(seen)).slice(0, 16),
    // Questions saved in a dashboard change without an edit of the dashboard.
    maxAgeDays: edited === undefined || model === 'dashboard' ? 1 : undefined,
  }
}

async function partsOf(
  { model, id, collection }: { readonly model: string; readonly id: string; readonly collection: string },
  { api, names, site }: { readonly api: MetabaseApi; readonly names: KnownNames; readonly site: string },
): Promise<readonly PagePart[]> {
  const found = await api.one(`/api/${model === 'dashboard' ? 'dashboard' : 'card'}/${encodeURIComponent(id)}`)
  await names.learn(model === 'dashboard' ? cardsOf(found) : found['dataset_query'], api)
  return model === 'dashboard'
    ? dashboardParts(found, names, { collection, url: `${site}/dashboard/${id}` })
    : cardParts(found, names, { collection, url: `${site}/question/${id}` })
}

/** Questions, models, metrics and dashboards, each with its collection. */
async function keptItems(
  api: MetabaseApi,
  wanted: readonly string[],
): Promise<readonly { readonly item: Loose; readonly collection: string }[]> {
  const places = collectionPlaces(await api.list('/api/collection'))
  const missing = wanted.find((one) => one !== 'root' && !places.some(({ within }) => within.has(one)))
  if (missing !== undefined)
    throw new AppError('not_found', `Metabase has no collection "${missing}".`, {
      hint: 'Check its name, and that the group of the API key may see it.',
    })
  const chosen = [
    ...(wanted.length === 0 || wanted.includes('root') ? [{ id: 'root', path: '' }] : []),
    ...places.filter(({ within }) => wanted.length === 0 || wanted.some((one) => within.has(one))),
  ]
  const found: { item: Loose; collection: string }[] = []
  for (let at = 0; at < chosen.length; at += AT_ONCE) {
    const part = chosen.slice(at, at + AT_ONCE)
    const items = await Promise.all(part.map(({ id }) => api.items(id)))
    for (const [i, { path }] of part.entries())
      for (const item of items[i]!) if (isTaken(item)) found.push({ item, collection: path })
  }
  return found
}

const isTaken = (item: Loose): boolean =>
  FOLDERS.has(textOf(item['model']) ?? '') && item['archived'] !== true && textOf(item['id']) !== undefined

interface DescribedTables {
  readonly pages: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  /** Databases with tables that did not fit into one response. */
  readonly unread: readonly string[]
}

async function describedTables(api: MetabaseApi, names: KnownNames): Promise<DescribedTables> {
  const found: Loose[] = []
  const unread: string[] = []
  for (const database of await api.list('/api/database')) {
    const id = textOf(database['id'])
    // A database of saved questions has no tables.
    if (id === undefined || Number(id) < 0) continue
    const metadata = await api.oneIfAny(`/api/database/${encodeURIComponent(id)}/metadata?include_hidden=true`)
    if (metadata === undefined) unread.push(`database ${textOf(database['name']) ?? id}`)
    const tables = objectsOf(metadata?.['tables'])
    names.addDatabase(id, tables)
    for (const table of tables) found.push(table)
  }
  const definitions = async (path: string): Promise<readonly Loose[]> =>
    (await api.listIfAny(path)).filter((one) => one['archived'] !== true && one['definition'] !== undefined)
  const segments = await definitions('/api/segment')
  const measures = [
    ...(await definitions('/api/measure')),
    ...(await definitions('/api/legacy-metric')),
    ...(await definitions('/api/metric')),
  ]
  for (const one of segments) names.add('segment', textOf(one['id']) ?? '', textOf(one['name']) ?? '')
  for (const one of measures) names.add('measure', textOf(one['id']) ?? '', textOf(one['name']) ?? '')
  const on = Map.groupBy(
    [...segments.map((one) => ({ one, kind: 'segment' })), ...measures.map((one) => ({ one, kind: 'measure' }))],
    ({ one }) => textOf(one['table_id']),
  )
  const pages = found.flatMap((table) => {
    const title = tableName(table)
    const defined = on.get(textOf(table['id'])) ?? []
    const of = (kind: string): readonly Loose[] => defined.filter((each) => each.kind === kind).map(({ one }) => one)
    const parts = tableParts(title, table, { names, segments: of('segment'), measures: of('measure') })
    const text = parts.length === 0 ? '' : pageText(parts)
    return text === '' || text.length > LONGEST_PAGE
      ? []
      : [{ id: `table-${textOf(table['id']) ?? title}`, title, text }]
  })
  return { pages, unread }
}
