import { titleSegment } from '../context-project/safe-segment.ts'
import { listOf, objectsOf, textOf, type Loose } from './loose-value.ts'
import { cardParts, dashboardParts, tableParts } from './metabase-pages.ts'
import type { MetabaseNames } from './metabase-query.ts'
import { readModelYaml } from './model-yaml.ts'
import { collectPages, type ReadPages } from './page.ts'

/**
 * Metabase export (serialization, or the git folder of remote sync): one YAML file per object, with names instead of
 * numbers. Settings and connections in it are ignored.
 */
export function readMetabaseExport(files: readonly { readonly path: string; readonly text: string }[]): ReadPages {
  const found = collectPages()
  const things = new Map<string, Loose[]>()
  for (const { path, text } of files) {
    const yaml = readModelYaml(text)
    if ('reason' in yaml) {
      found.skip(path, yaml.reason)
      continue
    }
    const [thing] = objectsOf([yaml.value])
    const model = textOf(objectsOf(thing?.['serdes/meta']).at(-1)?.['model'])
    if (thing === undefined || model === undefined || thing['archived'] === true) continue
    const alike = things.get(model)
    if (alike === undefined) things.set(model, [thing])
    else alike.push(thing)
  }
  const all = (model: string): readonly Loose[] => things.get(model) ?? []
  const names = namesOf(all)
  const paths = collectionNames(all('Collection'))
  const placeOf = (thing: Loose) => ({
    collection: paths.get(textOf(thing['collection_id']) ?? '') ?? '',
    url: undefined,
  })
  for (const card of all('Card'))
    found.add(
      {
        id: `card-${idOf(card)}`,
        title: titleOf(card),
        file: titleSegment(titleOf(card)),
        folder: FOLDERS.get(textOf(card['type']) ?? '') ?? 'questions',
      },
      cardParts(card, names, placeOf(card)),
    )
  for (const dashboard of all('Dashboard'))
    found.add(
      {
        id: `dashboard-${idOf(dashboard)}`,
        title: titleOf(dashboard),
        file: titleSegment(titleOf(dashboard)),
        folder: 'dashboards',
      },
      dashboardParts(dashboard, names, placeOf(dashboard)),
    )
  for (const { name, parts } of describedTables(all, names))
    found.add({ id: `table-${name}`, title: name, folder: 'tables' }, parts)
  return found.done()
}

const FOLDERS = new Map([
  ['model', 'models'],
  ['metric', 'metrics'],
])

const titleOf = (thing: Loose): string => textOf(thing['name']) ?? 'Untitled'
const idOf = (thing: Loose): string =>
  textOf(thing['entity_id']) ?? textOf(objectsOf(thing['serdes/meta']).at(-1)?.['id']) ?? titleOf(thing)

type All = (model: string) => readonly Loose[]

function namesOf(all: All): MetabaseNames {
  const byId = (model: string): ((id: string) => string | undefined) => {
    const known = new Map(all(model).map((thing) => [idOf(thing), titleOf(thing)]))
    return (id) => known.get(id)
  }
  return {
    table: () => undefined,
    field: () => undefined,
    card: byId('Card'),
    segment: byId('Segment'),
    measure: byId('Measure'),
  }
}

const DEEPEST = 20

/** Paths such as `Finance / Monthly` by collection id. */
function collectionNames(collections: readonly Loose[]): ReadonlyMap<string, string> {
  const known = new Map(collections.map((one) => [idOf(one), one]))
  return new Map(
    collections.map((one) => {
      const line: string[] = []
      for (let at: Loose | undefined = one; at !== undefined && line.length < DEEPEST;) {
        line.unshift(titleOf(at))
        at = known.get(textOf(at['parent_id']) ?? '')
      }
      return [idOf(one), line.join(' / ')]
    }),
  )
}

/** Tables, columns, segments and measures each have a file; together they describe a table. */
function describedTables(all: All, names: MetabaseNames) {
  const on = (model: string): ReadonlyMap<string, Loose[]> =>
    Map.groupBy(all(model), (thing) => pathName(thing['table_id']))
  const [fields, segments, measures] = [on('Field'), on('Segment'), on('Measure')]
  const tables = new Map(
    all('Table').map((table) => [[textOf(table['schema']), titleOf(table)].filter(Boolean).join('.'), table]),
  )
  const named = new Set([...tables.keys(), ...segments.keys(), ...measures.keys()])
  return [...named].flatMap((name) => {
    const defined = { names, segments: segments.get(name) ?? [], measures: measures.get(name) ?? [] }
    const parts = tableParts(name, { ...tables.get(name), fields: fields.get(name) ?? [] }, defined)
    return parts.length === 0 ? [] : [{ name, parts }]
  })
}

/** `[database, schema, table]`. */
const pathName = (ref: unknown): string => listOf(ref).slice(1, 3).map(textOf).filter(Boolean).join('.')
