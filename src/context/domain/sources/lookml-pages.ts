import type { LookmlBlock, LookmlEntry } from './lookml-parse.ts'
import { isBlock, itemsOf, type LookmlProject, type LookmlThing } from './lookml-project.ts'
import { code, collectPages, dedented, fenced, lines, oneLine, plainName, section, sqlLine, table } from './page.ts'
import type { PagePart, ReadPages } from './page.ts'

/** A page for every view and every explore, with table and column names of the database. */
export function lookmlPages({ views, explores, faults }: LookmlProject): ReadPages {
  const found = collectPages()
  const known = new Map(views.map((view) => [view.name, viewOf(view)]))
  for (const fault of faults) found.skip(fault.title, fault.reason)
  for (const view of views)
    found.add({ id: `view/${view.name}`, title: view.name, folder: 'views' }, viewParts(view, viewOf(view)))
  for (const explore of explores)
    found.add(
      { id: `explore/${explore.model ?? ''}/${explore.name}`, title: explore.name, folder: 'explores' },
      exploreParts(explore, known),
    )
  return found.done()
}

interface KnownView {
  /** Its name in the database; undefined for a derived table. */
  readonly table: string | undefined
  /** The column of each dimension that is just a column. */
  readonly columns: ReadonlyMap<string, string>
  readonly key: string | undefined
}

function viewOf({ name, block }: LookmlThing): KnownView {
  const written = text(block, 'sql_table_name')
  const columns = new Map<string, string>()
  let key: string | undefined
  for (const field of block.entries) {
    if ((field.key !== 'dimension' && field.key !== 'dimension_group') || !isBlock(field.value)) continue
    const sql = text(field.value, 'sql') ?? `\${TABLE}.${field.name}`
    const column = COLUMN.exec(sql)?.[1]
    if (column !== undefined) columns.set(field.name ?? '', column)
    if (text(field.value, 'primary_key') === 'yes') key = column ?? field.name
  }
  const isDerived = block.entries.some((entry) => entry.key === 'derived_table')
  return { table: written === undefined ? (isDerived ? undefined : name) : plainName(written), columns, key }
}

const COLUMN = /^\$\{TABLE\}\.["`[]?(\w+)["`\]]?$/

const text = (block: LookmlBlock, key: string): string | undefined => {
  const value = block.entries.findLast((entry) => entry.key === key)?.value
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
const blocks = (block: LookmlBlock, key: string): readonly (LookmlEntry & { readonly value: LookmlBlock })[] =>
  block.entries.filter(
    (entry): entry is LookmlEntry & { readonly value: LookmlBlock } => entry.key === key && isBlock(entry.value),
  )
const list = (block: LookmlBlock, key: string): string =>
  block.entries
    .filter((entry) => entry.key === key)
    .flatMap(({ value }) => itemsOf(value))
    .map((item) => (item.value === undefined ? item.text : `${item.text}: ${item.value}`))
    .join(', ')

function viewParts({ name, block, extended }: LookmlThing, view: KnownView): readonly PagePart[] {
  const label = text(block, 'label')
  return [
    `# ${name}`,
    [
      `A LookML view${view.table === undefined ? '' : ` of ${view.table}`}`,
      label !== undefined && label !== name && `, shown as ${JSON.stringify(label)}`,
      extended.length > 0 && `, extends ${extended.join(', ')}`,
      text(block, 'extension') === 'required' && ', only to be extended',
      '.',
    ]
      .filter(Boolean)
      .join(''),
    text(block, 'description'),
    ...FIELDS.map(([title, ...keys]) =>
      section(
        title!,
        table(
          [keys[0]!, 'type', 'SQL', 'about'],
          block.entries
            .filter((entry) => keys.includes(entry.key) && isBlock(entry.value))
            .map((entry) => fieldRow(entry.key, entry.name ?? '', entry.value as LookmlBlock)),
        ),
      ),
    ),
    ...blocks(block, 'derived_table').map(({ value }) => section('Derived table', derivedTable(value))),
    section('Sets', lines(blocks(block, 'set').map((set) => `- ${set.name}: ${list(set.value, 'fields')}`))),
  ]
}

const FIELDS: readonly (readonly string[])[] = [
  ['Dimensions', 'dimension', 'dimension_group'],
  ['Measures', 'measure'],
  ['Filters and parameters', 'filter', 'parameter'],
]

function fieldRow(kind: string, name: string, block: LookmlBlock): readonly (string | undefined)[] {
  const label = text(block, 'label')
  const sql = text(block, 'sql')
  const frames = list(block, 'timeframes') || list(block, 'intervals')
  const about = [
    text(block, 'description'),
    label !== undefined && label.toLowerCase().replaceAll(' ', '_') !== name.toLowerCase() && `shown as "${label}"`,
    filterText(block),
    frames && `by ${frames}`,
    casesOf(block),
    list(block, 'tiers') && `tiers ${list(block, 'tiers')}`,
    list(block, 'suggestions') && `values ${list(block, 'suggestions')}`,
    allowedValues(block),
    formatOf(block),
    list(block, 'tags') && `tags ${list(block, 'tags')}`,
  ]
  const type = [
    text(block, 'type') ?? (kind === 'dimension_group' ? 'time' : kind === 'measure' ? '' : 'string'),
    text(block, 'primary_key') === 'yes' && 'primary key',
    text(block, 'hidden') === 'yes' && 'hidden',
  ]
  const pair = ['sql_start', 'sql_end', 'sql_latitude', 'sql_longitude'].map((key) => text(block, key)).filter(Boolean)
  const isColumn = kind === 'dimension' || kind === 'dimension_group'
  return [
    name,
    type.filter(Boolean).join(', '),
    withoutTable(sql ?? (pair.length > 0 ? pair.join(', ') : isColumn && casesOf(block) === undefined ? name : '')),
    about.filter(Boolean).join('; '),
  ]
}

/** Omits the table, which the head of the page names. */
const withoutTable = (sql: string): string => sqlLine(sql).replaceAll('${TABLE}.', '')

function formatOf(block: LookmlBlock): string | undefined {
  const format = text(block, 'value_format') ?? text(block, 'value_format_name')
  return format && `format ${format}`
}

/** `filters: [status: "paid"]`, or the block used by older projects. */
function filterText(block: LookmlBlock): string | undefined {
  const pairs = block.entries
    .filter(({ key }) => key === 'filters')
    .flatMap(({ value }) =>
      isBlock(value)
        ? [`${text(value, 'field') ?? ''} is ${text(value, 'value') ?? ''}`]
        : itemsOf(value).map((item) => `${item.text} is ${item.value ?? ''}`),
    )
  return pairs.length === 0 ? undefined : `only where ${pairs.join(' and ')}`
}

function casesOf(block: LookmlBlock): string | undefined {
  const [cases] = blocks(block, 'case')
  const whens = cases === undefined ? [] : blocks(cases.value, 'when')
  const old = blocks(block, 'sql_case').flatMap(({ value }) => value.entries)
  const found = [
    ...whens.map(({ value }) => `${text(value, 'label') ?? ''} when ${withoutTable(text(value, 'sql') ?? '')}`),
    ...old.map(({ key, value }) => `${key} when ${typeof value === 'string' ? withoutTable(value) : ''}`),
  ]
  const other = cases && text(cases.value, 'else')
  return found.length === 0 ? undefined : [...found, other && `else ${other}`].filter(Boolean).join(', ')
}

function allowedValues(block: LookmlBlock): string | undefined {
  const found = blocks(block, 'allowed_value').map(({ value }) => text(value, 'value') ?? text(value, 'label') ?? '')
  return found.length === 0 ? undefined : `values ${found.join(', ')}`
}

function derivedTable(block: LookmlBlock): string {
  const [native] = blocks(block, 'explore_source')
  const persisted = ['datagroup_trigger', 'sql_trigger_value', 'interval_trigger', 'persist_for']
    .map((key) => text(block, key))
    .find((value) => value !== undefined)
  return [
    persisted && `Rebuilt by ${code(persisted)}.`,
    native && `From explore \`${native.name ?? ''}\`:`,
    native &&
      table(
        ['column', 'field'],
        [
          ...blocks(native.value, 'column').map((one) => [one.name, text(one.value, 'field') ?? one.name]),
          ...blocks(native.value, 'derived_column').map((one) => [one.name, sqlLine(text(one.value, 'sql') ?? '')]),
        ],
      ),
    native && filterText(native.value),
    fenced('sql', dedented(text(block, 'sql') ?? text(block, 'sql_create') ?? '')),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function exploreParts(
  { name, block, model, connection, extended }: LookmlThing,
  known: ReadonlyMap<string, KnownView>,
): readonly PagePart[] {
  const base = text(block, 'from') ?? text(block, 'view_name') ?? name
  const alias = text(block, 'view_name') ?? name
  const joins = blocks(block, 'join')
  const aliases = new Map([
    [alias, base],
    ...joins.map((join) => [join.name ?? '', text(join.value, 'from') ?? join.name ?? ''] as const),
  ])
  const resolve = (sql: string): string => sqlLine(sql).replaceAll(FIELD, (_, a, f) => column(a, f, { aliases, known }))
  const rule = (title: string, key: string): PagePart => {
    const sql = text(block, key)
    return sql && `- ${title}: ${code(resolve(sql))}`
  }
  const filtered = (title: string, key: string): PagePart => {
    const found = blocks(block, key).flatMap(({ value }) => filterText(value) ?? [])
    return found.length > 0 && `- ${title}: ${found.join(' and ').replaceAll('only where ', '')}`
  }
  return [
    `# ${oneLine(text(block, 'label') ?? name)}`,
    [
      `The LookML explore \`${name}\``,
      model && ` of model \`${model}\``,
      connection && ` (connection \`${connection}\`)`,
      ` from ${placeOf(base, alias, known)}`,
      extended.length > 0 && `, extends ${extended.join(', ')}`,
      text(block, 'hidden') === 'yes' && ', hidden',
      '.',
    ]
      .filter(Boolean)
      .join(''),
    text(block, 'description'),
    lines([
      rule('Always where', 'sql_always_where'),
      rule('Always having', 'sql_always_having'),
      filtered('Filter that can be changed', 'always_filter'),
      filtered('Filter unless another is set', 'conditionally_filter'),
      ...blocks(block, 'access_filter').map(
        ({ value }) => `- Rows by user: ${text(value, 'field') ?? ''} is ${text(value, 'user_attribute') ?? ''}`,
      ),
      list(block, 'fields') && `- Fields: ${list(block, 'fields')}`,
    ]),
    section('Joins', lines(joins.map((join) => `- ${joinLine(join, { alias, resolve, aliases, known })}`))),
  ]
}

const FIELD = /\$\{(\w{1,200})\.(\w{1,200})\}/g

interface Names {
  readonly aliases: ReadonlyMap<string, string>
  readonly known: ReadonlyMap<string, KnownView>
}

/** The column of `${orders.created_date}` is that of the dimension group `created`. */
function column(alias: string, field: string, { aliases, known }: Names): string {
  const columns = known.get(aliases.get(alias) ?? alias)?.columns
  return `${alias}.${columns?.get(field) ?? columns?.get(field.replace(/_[a-z0-9]+$/, '')) ?? field}`
}

function joinLine(
  { name = '', value }: LookmlEntry & { readonly value: LookmlBlock },
  { alias, resolve, ...names }: Names & { readonly alias: string; readonly resolve: (sql: string) => string },
): string {
  const view = text(value, 'from') ?? name
  const on = text(value, 'sql_on')
  const foreign = text(value, 'foreign_key')?.replace(/^.*\./s, '')
  const by = foreign && `${column(alias, foreign, names)} = ${name}.${names.known.get(view)?.key ?? 'primary key'}`
  const written = text(value, 'sql')
  return [
    placeOf(view, name, names.known),
    `, ${(text(value, 'type') ?? 'left_outer').replaceAll('_', ' ')}`,
    `, ${(text(value, 'relationship') ?? 'many_to_one').replaceAll('_', ' ')}`,
    on !== undefined ? `, on ${code(resolve(on))}` : by && `, on ${code(by)}`,
    written && `: ${code(resolve(written))}`,
    text(value, 'sql_where') && `, where ${code(resolve(text(value, 'sql_where')!))}`,
    list(value, 'fields') && `, fields ${list(value, 'fields')}`,
  ]
    .filter(Boolean)
    .join('')
}

/** `mart.users as buyers (view users)`, without redundant parts. */
function placeOf(view: string, alias: string, known: ReadonlyMap<string, KnownView>): string {
  const place = known.get(view)?.table
  const named = place ?? `${known.has(view) ? 'derived table of ' : ''}view \`${view}\``
  const last = place?.slice(place.lastIndexOf('.') + 1)
  return [
    named,
    (last ?? view) === alias ? '' : ` as ${alias}`,
    place === undefined || view === last || view === alias ? '' : ` (view \`${view}\`)`,
  ].join('')
}
