import { listOf, objectOf, objectsOf, textOf, type Loose } from './loose-value.ts'
import { describeQuery, queryParameters, type MetabaseNames } from './metabase-query.ts'
import { code, lines, oneLine, section, table, type PagePart } from './page.ts'

export interface MetabasePlace {
  /** `Finance / Monthly`. */
  readonly collection: string
  /** Page for people; undefined in an export. */
  readonly url: string | undefined
}

/** A question, a model or a metric. */
export function cardParts(card: Loose, names: MetabaseNames, { collection, url }: MetabasePlace): readonly PagePart[] {
  const parameters = queryParameters(card['dataset_query'], names)
  return [
    `# ${oneLine(textOf(card['name']) ?? 'Untitled')}`,
    `A ${isVerified(card) ? 'verified ' : ''}Metabase ${kindOf(card)}${inCollection(collection)}.${link(url)}`,
    textOf(card['description']),
    describeQuery(card['dataset_query'], names),
    parameters.length > 0 && `Parameters: ${parameters.join(', ')}`,
    kindOf(card) === 'model' && section('Columns', columnTable(card)),
  ]
}

const kindOf = (card: Loose): string => textOf(card['type']) ?? (card['dataset'] === true ? 'model' : 'question')

const isVerified = (card: Loose): boolean =>
  textOf(card['moderated_status']) === 'verified' ||
  objectsOf(card['moderation_reviews']).some(
    (review) => review['status'] === 'verified' && review['most_recent'] !== false,
  )

const inCollection = (collection: string): string => (collection === '' ? '' : ` in ${oneLine(collection)}`)
const link = (url: string | undefined): string => (url === undefined ? '' : ` <${url}>`)

function columnTable(card: Loose): string {
  const columns = objectsOf(card['result_metadata']).map((column) => {
    const [name, shown] = [textOf(column['name']) ?? '', textOf(column['display_name'])]
    return [
      name,
      (textOf(column['base_type']) ?? '').replace('type/', ''),
      [shown !== undefined && !isSame(shown, name) && shown, textOf(column['description'])].filter(Boolean).join(': '),
    ]
  })
  return table(['column', 'type', 'about'], columns)
}

const isSame = (a: string, b: string): boolean =>
  a.toLowerCase().replaceAll(/\W+/g, '_') === b.toLowerCase().replaceAll(/\W+/g, '_')

export function dashboardParts(
  dashboard: Loose,
  names: MetabaseNames,
  { collection, url }: MetabasePlace,
): readonly PagePart[] {
  const own = textOf(dashboard['id']) ?? textOf(dashboard['entity_id'])
  const tabs = new Map(objectsOf(dashboard['tabs']).map((tab, i) => [textOf(tab['id']) ?? '', { tab, i }]))
  const place = (card: Loose): number =>
    (tabs.get(textOf(card['dashboard_tab_id']) ?? '')?.i ?? 0) * 1e9 +
    (Number(card['row']) || 0) * 1e4 +
    (Number(card['col']) || 0)
  const cards = objectsOf(dashboard['dashcards'] ?? dashboard['ordered_cards']).toSorted((a, b) => place(a) - place(b))
  const inline = cards.map((one) => objectOf(one['card'])).filter((card) => isOwn(card, own))
  const filters = objectsOf(dashboard['parameters']).map(
    (one) => `${textOf(one['name']) ?? ''} (${textOf(one['type']) ?? ''})`,
  )
  return [
    `# ${oneLine(textOf(dashboard['name']) ?? 'Untitled')}`,
    `A ${isVerified(dashboard) ? 'verified ' : ''}Metabase dashboard${inCollection(collection)}.${link(url)}`,
    textOf(dashboard['description']),
    filters.length > 0 && `Filters: ${filters.join(', ')}`,
    section('Cards', lines(cards.map((one) => cardLine(one, names, tabs)))),
    // Saved in the dashboard, without a separate page.
    ...inline.map((card) =>
      section(oneLine(textOf(card['name']) ?? 'Untitled'), describeQuery(card['dataset_query'], names)),
    ),
  ]
}

const isOwn = (card: Loose, dashboard: string | undefined): boolean =>
  dashboard !== undefined && textOf(card['dashboard_id']) === dashboard && card['dataset_query'] !== undefined

function cardLine(one: Loose, names: MetabaseNames, tabs: ReadonlyMap<string, { readonly tab: Loose }>): PagePart {
  const settings = objectOf(one['visualization_settings'])
  const card = objectOf(one['card'])
  const id = textOf(one['card_id'])
  const title = textOf(settings['card.title']) ?? textOf(card['name']) ?? (id && names.card(id))
  const words = textOf(settings['text']) ?? textOf(objectOf(settings['link'])['url'])
  const tab = textOf(tabs.get(textOf(one['dashboard_tab_id']) ?? '')?.tab['name'])
  const series = objectsOf(one['series']).map((other) => textOf(other['name']) ?? '')
  const text = title ?? words
  return (
    text !== undefined &&
    `- ${tab === undefined ? '' : `${tab}: `}${oneLine(text)}${series.length > 0 ? ` with ${series.join(', ')}` : ''}`
  )
}

/** Descriptions that people wrote for a table and its columns, with its segments and measures. */
export function tableParts(
  name: string,
  one: Loose,
  { names, segments, measures }: { names: MetabaseNames; segments: readonly Loose[]; measures: readonly Loose[] },
): readonly PagePart[] {
  const rows = objectsOf(one['fields']).flatMap((field) => {
    const target = targetOf(field['fk_target_field_id'], names)
    const about = [
      textOf(field['description']),
      target && `refers to ${target}`,
      textOf(field['visibility_type']) === 'sensitive' && 'sensitive',
    ].filter(Boolean)
    return about.length === 0 ? [] : [[textOf(field['name']), about.join('; ')]]
  })
  const defined = (all: readonly Loose[]): string =>
    lines(
      all.map((definition) => {
        const about = textOf(definition['description'])
        return `- ${oneLine(textOf(definition['name']) ?? '')}: ${code(definitionText(definition['definition'], names))}${about ? `. ${oneLine(about)}` : ''}`
      }),
    )
  const parts = [
    textOf(one['description']),
    textOf(one['points_of_interest']),
    textOf(one['caveats']),
    section('Columns', table(['column', 'about'], rows)),
    section('Segments', defined(segments)),
    section('Measures', defined(measures)),
  ].filter(Boolean)
  return parts.length === 0 ? [] : [`# ${name}`, `What Metabase says of the table ${name}.`, ...parts]
}

/** Target of a foreign key, from a field number or the path used by exports. */
function targetOf(ref: unknown, names: MetabaseNames): string | undefined {
  if (Array.isArray(ref)) return ref.slice(1).map(textOf).filter(Boolean).join('.')
  const found = typeof ref === 'number' ? names.field(ref) : undefined
  return found && `${found.table}.${found.name}`
}

/** A query, or only some of its clauses; its table is in the title. */
function definitionText(definition: unknown, names: MetabaseNames): string {
  const given = objectOf(definition)
  const query = given['stages'] === undefined && given['query'] === undefined ? { query: given } : given
  return String(describeQuery(query, names))
    .split('\n')
    .filter((line) => !line.startsWith('- From: '))
    .map((line) => line.replace(/^- (?:Where|Summarized): /, ''))
    .join(' and ')
}

export interface CollectionPlace {
  readonly id: string
  /** `Finance / Monthly`. */
  readonly path: string
  /** Names and numbers of the collection and its ancestors. */
  readonly within: ReadonlySet<string>
}

/** All collections except the root, personal ones and the trash. */
export function collectionPlaces(collections: readonly Loose[]): readonly CollectionPlace[] {
  const named = new Map(collections.map((one) => [textOf(one['id']) ?? '', one]))
  return [...named].flatMap(([id, one]) => {
    const ids = [...(textOf(one['location']) ?? '').split('/').filter((part) => part !== ''), id].slice(-DEEPEST)
    const line = ids.map((part) => named.get(part))
    if (id === 'root' || line.some((part) => part !== undefined && isPrivate(part))) return []
    const names = line.map((part) => textOf(part?.['name']) ?? '…')
    return [{ id, path: names.join(' / '), within: new Set([...ids, ...names]) }]
  })
}

const DEEPEST = 20

const isPrivate = (one: Loose): boolean =>
  one['archived'] === true ||
  one['is_personal'] === true ||
  (one['personal_owner_id'] !== undefined && one['personal_owner_id'] !== null) ||
  ['trash', 'instance-analytics'].includes(textOf(one['type']) ?? '')

/** Every field and table that a query references by number. */
export function numbersIn(query: unknown): { readonly fields: readonly number[]; readonly tables: readonly number[] } {
  const [fields, tables] = [new Set<number>(), new Set<number>()]
  const waiting: unknown[] = [query]
  for (let seen = 0; waiting.length > 0 && seen < 100_000; seen++) {
    const at = waiting.pop()
    if (Array.isArray(at)) {
      const isField = typeof at[0] === 'string' && /^(?:field|field-id|fk->|joined-field|datetime-field)$/.test(at[0])
      if (isField) for (const part of at) if (typeof part === 'number') fields.add(part)
    }
    const { 'source-table': source, 'source-field': through } = objectOf(at)
    if (typeof source === 'number') tables.add(source)
    if (typeof through === 'number') fields.add(through)
    for (const part of Array.isArray(at) ? at : Object.values(objectOf(at)))
      if (typeof part === 'object' && part !== null) waiting.push(part)
  }
  return { fields: [...fields], tables: [...tables] }
}

export const cardsOf = (dashboard: Loose): readonly unknown[] =>
  listOf(dashboard['dashcards'] ?? dashboard['ordered_cards'])
