import { membersOf, type Cube, type CubeModel } from './cube-model.ts'
import { listOf, objectOf, objectsOf, textOf, textsOf, type Loose } from './loose-value.ts'
import { code, collectPages, dedented, fenced, lines, oneLine, section, sqlLine, table } from './page.ts'
import type { PagePart, ReadPages } from './page.ts'

/** A page for every cube and every view, with table and column names of the database. */
export function cubePages({ cubes, views, faults }: CubeModel): ReadPages {
  const found = collectPages()
  const known = new Map(cubes.map((cube) => [cube.name, { cube, columns: columnsOf(cube) }]))
  for (const { title, reason } of faults) found.skip(title, reason)
  for (const cube of cubes)
    found.add({ id: `cube/${cube.name}`, title: cube.name, folder: 'cubes' }, cubeParts(cube, known))
  for (const view of views) {
    const name = textOf(view['name'])!
    found.add({ id: `view/${name}`, title: name, folder: 'views' }, viewParts(name, view, known))
  }
  return found.done()
}

type Known = ReadonlyMap<string, { readonly cube: Cube; readonly columns: ReadonlyMap<string, string> }>

/** The column of each dimension that is just a column. */
function columnsOf({ name, dimensions }: Cube): ReadonlyMap<string, string> {
  return new Map(
    dimensions.flatMap((one) => {
      const sql = (textOf(one['sql']) ?? '').replace('{CUBE}.', '').replace(`{${name}}.`, '')
      return /^["`]?\w{1,200}["`]?$/.test(sql)
        ? [[textOf(one['name']) ?? '', sql.replaceAll(/["`]/g, '')] as const]
        : []
    }),
  )
}

/** `{CUBE}.id`, `{CUBE.id}`, `{users.id}`, and `{count}` for a member of the cube itself. */
const REFERENCE = /\{(\w{1,200})(?:\.(\w{1,200}))?\}(?:\.(\w{1,200}))?/g

/** Replaces references with columns; those of the cube itself have no table prefix if `isBare`. */
function resolved(sql: string, own: Cube, { known, isBare }: { known: Known; isBare: boolean }): string {
  return sqlLine(sql).replaceAll(REFERENCE, (_, first: string, member?: string, column?: string) => {
    const name = first === 'CUBE' ? own.name : first
    const other = known.get(name)
    if (other === undefined) return [first, member, column].filter(Boolean).join('.')
    const place = other.cube.table ?? name
    const last = column ?? (member === undefined ? undefined : (other.columns.get(member) ?? member))
    if (last === undefined) return place
    return isBare && name === own.name ? last : `${place}.${last}`
  })
}

function cubeParts(cube: Cube, known: Known): readonly PagePart[] {
  const { settings } = cube
  const sql = (text: unknown, isBare = true): string => resolved(textOf(text) ?? '', cube, { known, isBare })
  return [
    `# ${cube.name}`,
    headLine('Cube', settings, cube.table === undefined ? '' : ` of ${cube.table}`),
    textOf(settings['description']),
    contextOf(settings),
    cube.table === undefined && fenced('sql', dedented(textOf(settings['sql']) ?? '')),
    section(
      'Joins',
      lines(
        cube.joins.map((join) => {
          const kind = textOf(join['relationship'])
          return `- ${textOf(join['name']) ?? ''}${kind ? `, ${RELATIONSHIPS.get(kind) ?? kind.replaceAll('_', ' ')}` : ''}, on ${code(sql(join['sql'], false))}`
        }),
      ),
    ),
    section(
      'Dimensions',
      table(
        ['dimension', 'type', 'SQL', 'about'],
        cube.dimensions.map((one) => [
          textOf(one['name']),
          [textOf(one['type']), one['primary_key'] === true && 'primary key', privacy(one)].filter(Boolean).join(', '),
          sql(one['sql']) || casesOf(one, sql),
          aboutOf(one),
        ]),
      ),
    ),
    section(
      'Measures',
      table(
        ['measure', 'type', 'SQL', 'about'],
        cube.measures.map((one) => [
          textOf(one['name']),
          [textOf(one['type']), privacy(one)].filter(Boolean).join(', '),
          sql(one['sql']),
          [filtersOf(one, sql), windowOf(one), aboutOf(one)].filter(Boolean).join('; '),
        ]),
      ),
    ),
    section(
      'Segments',
      table(
        ['segment', 'SQL', 'about'],
        cube.segments.map((one) => [textOf(one['name']), sql(one['sql']), aboutOf(one)]),
      ),
    ),
    section('Pre-aggregations', lines(cube.preAggregations.map((one) => `- ${preAggregation(one)}`))),
  ]
}

/** Relationship names of older models. */
const RELATIONSHIPS = new Map([
  ['belongsTo', 'many to one'],
  ['belongs_to', 'many to one'],
  ['hasMany', 'one to many'],
  ['has_many', 'one to many'],
  ['hasOne', 'one to one'],
  ['has_one', 'one to one'],
])

const privacy = (one: Loose): string => (one['public'] === false || one['shown'] === false ? 'private' : '')

const headLine = (kind: string, settings: Loose, place: string): string =>
  [
    `${kind === 'View' ? 'A Cube view' : 'A cube'}${place}`,
    textOf(settings['title']) && `, shown as "${oneLine(textOf(settings['title'])!)}"`,
    textOf(settings['extends']) && `, extends \`${textOf(settings['extends'])}\` with all it has`,
    textOf(settings['data_source']) && `, data source \`${textOf(settings['data_source'])}\``,
    privacy(settings) && ', private',
    '.',
  ]
    .filter(Boolean)
    .join('')

/** Context for models, provided by the authors. */
const contextOf = (one: Loose): string | undefined =>
  textsOf(objectOf(one['meta'])['ai_context']).join('\n') || undefined

function aboutOf(one: Loose): string {
  return [
    textOf(one['description']),
    textOf(one['title']) && `shown as "${textOf(one['title'])}"`,
    textOf(one['format']) && `format ${textOf(one['format'])}`,
    contextOf(one),
    textsOf(objectOf(one['meta'])['synonyms']).length > 0 &&
      `also called ${textsOf(objectOf(one['meta'])['synonyms']).join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}

type Sql = (text: unknown) => string

function casesOf(one: Loose, sql: Sql): string {
  const cases = objectOf(one['case'])
  const other = textOf(objectOf(cases['else'])['label'])
  return [
    ...objectsOf(cases['when']).map((when) => `${textOf(when['label']) ?? ''} when ${sql(when['sql'])}`),
    other && `else ${other}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function filtersOf(one: Loose, sql: Sql): string {
  const found = objectsOf(one['filters']).map((filter) => sql(filter['sql']))
  return found.length === 0 ? '' : `only where ${found.join(' and ')}`
}

function windowOf(one: Loose): string {
  const window = objectOf(one['rolling_window'] ?? one['rollingWindow'])
  const parts = Object.entries(window).flatMap(([key, value]) => (textOf(value) ? [`${key} ${textOf(value)}`] : []))
  return parts.length === 0 ? '' : `rolling window: ${parts.join(', ')}`
}

function preAggregation(one: Loose): string {
  const members = [one['measures'], one['dimensions'], one['segments']].flatMap((value) => textsOf(value))
  const time = textOf(one['time_dimension'])
  return oneLine(
    [
      textOf(one['name']) ?? '',
      textOf(one['type']) && ` (${textOf(one['type'])})`,
      members.length > 0 && `: ${members.map((member) => member.replace(/^CUBE\./, '')).join(', ')}`,
      time &&
        ` by ${time.replace(/^CUBE\./, '')}${textOf(one['granularity']) ? `, ${textOf(one['granularity'])}` : ''}`,
    ]
      .filter(Boolean)
      .join(''),
  )
}

function viewParts(name: string, view: Loose, known: Known): readonly PagePart[] {
  const parts = membersOf(listOf(view['cubes']))
  return [
    `# ${name}`,
    headLine('View', view, ''),
    textOf(view['description']),
    contextOf(view),
    section('Members', lines(parts.map((part) => `- ${memberLine(part, known)}`))),
    section(
      'Folders',
      lines(
        objectsOf(view['folders']).map(
          (folder) => `- ${textOf(folder['name']) ?? ''}: ${textsOf(folder['includes']).join(', ')}`,
        ),
      ),
    ),
  ]
}

function memberLine(part: Loose, known: Known): string {
  const path = textOf(part['join_path']) ?? ''
  const cube = known.get(path.slice(path.lastIndexOf('.') + 1))?.cube
  const names = listOf(part['includes']).map((one) => {
    const { name, alias } = objectOf(one)
    return textOf(one) ?? [textOf(name), textOf(alias) && `as ${textOf(alias)}`].filter(Boolean).join(' ')
  })
  const excluded = textsOf(part['excludes'])
  return [
    `\`${path}\``,
    cube?.table && ` (${cube.table})`,
    textOf(part['includes']) === '*' ? ': all members' : names.length > 0 && `: ${names.join(', ')}`,
    excluded.length > 0 && ` without ${excluded.join(', ')}`,
    part['prefix'] === true && `, with the prefix ${path.slice(path.lastIndexOf('.') + 1)}_`,
  ]
    .filter(Boolean)
    .join('')
}
