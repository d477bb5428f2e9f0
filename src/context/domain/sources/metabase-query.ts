import { plural } from '../../../kernel/domain/text.ts'
import { listOf, objectOf, objectsOf, textOf, type Loose } from './loose-value.ts'
import { fenced, lines, oneLine, type PagePart } from './page.ts'

/** Resolves the numbers in a query. Exports use names instead, which need no lookup. */
export interface MetabaseNames {
  /** Name with schema. */
  table(id: number): string | undefined
  field(id: number): { readonly table: string; readonly name: string } | undefined
  /** Question, model or metric, by number or export id. */
  card(id: string): string | undefined
  segment(id: string): string | undefined
  measure(id: string): string | undefined
}

/**
 * Describes a Metabase query with the database's table and column names: SQL unchanged, MBQL of any release as lines.
 * Undefined if there is none.
 */
export function describeQuery(query: unknown, names: MetabaseNames): PagePart {
  const stages = stagesOf(objectOf(query))
  const texts = stages.map((stage, i) => {
    const sql = nativeOf(stage)
    return sql !== undefined ? fenced('sql', sql) : stageLines(stage, names, i > 0)
  })
  return texts.filter((text) => text !== '').join('\n\nThen:\n\n')
}

/** Placeholders in SQL, such as `{{status}}`. */
export function queryParameters(query: unknown, names: MetabaseNames): readonly string[] {
  return stagesOf(objectOf(query)).flatMap((stage) =>
    Object.entries(objectOf(stage['template-tags'] ?? objectOf(stage['native'])['template-tags']))
      .filter(([, tag]) => !['card', 'snippet'].includes(textOf(objectOf(tag)['type']) ?? ''))
      .map(([key, tag]) => {
        const { type, dimension, 'display-name': shown } = objectOf(tag)
        const field = Array.isArray(dimension) ? clauseText(dimension, { names, depth: 0 }) : undefined
        const about = [textOf(shown) === key ? undefined : textOf(shown), field ?? textOf(type)].filter(Boolean)
        return `${key}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
      }),
  )
}

const MOST_STAGES = 30

/** Newer releases have a list of stages, older ones nest the query they read. */
function stagesOf(query: Loose): readonly Loose[] {
  const stages = objectsOf(query['stages'])
  if (stages.length > 0) return stages.slice(0, MOST_STAGES)
  if (query['native'] !== undefined) return [query]
  const found: Loose[] = []
  for (let at = query['query']; at !== undefined && at !== null && found.length < MOST_STAGES;) {
    const stage = objectOf(at)
    found.unshift(stage)
    at = stage['source-query']
  }
  return found
}

const nativeOf = (stage: Loose): string | undefined =>
  textOf(stage['native']) ?? textOf(objectOf(stage['native'])['query'])

function stageLines(stage: Loose, names: MetabaseNames, isLater: boolean): string {
  const say = (clause: unknown): string => clauseText(clause, { names, depth: 0 })
  const totals = listOf(stage['aggregation'])
  // Releases that allowed only one aggregation did not wrap it in a list.
  const aggregations = (typeof totals[0] === 'string' ? [totals] : totals).map((clause) => ({
    id: textOf(objectOf(listOf(clause)[1])['lib/uuid']),
    text: named(say(clause), clause),
  }))
  const filters = stage['filters'] === undefined ? [stage['filter']] : listOf(stage['filters'])
  const expressions = Array.isArray(stage['expressions'])
    ? stage['expressions'].map((clause) => `${expressionName(clause)} = ${say(clause)}`)
    : Object.entries(objectOf(stage['expressions'])).map(([name, clause]) => `${name} = ${say(clause)}`)
  const sorted = listOf(stage['order-by']).map((clause) => clauseText(clause, { names, depth: 0, aggregations }))
  const row = (title: string, parts: readonly string[], between = ', '): PagePart =>
    parts.length > 0 && `- ${title}: ${oneLine(parts.join(between))}`
  return lines([
    row('From', placeOf(stage, names) ?? (isLater ? [] : ['unknown'])),
    ...objectsOf(stage['joins']).map((join) => row('Join', [joinText(join, names)])),
    row('Computed', expressions),
    row('Where', filters.filter((clause) => clause !== undefined && clause !== null).map(say), ' and '),
    row(
      'Summarized',
      aggregations.map(({ text }) => text),
    ),
    row('By', listOf(stage['breakout']).map(say)),
    row('Columns', listOf(stage['fields']).map(say)),
    row('Sorted by', sorted),
    row('Limit', textOf(stage['limit']) === undefined ? [] : [textOf(stage['limit'])!]),
  ])
}

const expressionName = (clause: unknown): string =>
  textOf(objectOf(listOf(clause)[1])['lib/expression-name']) ?? 'unnamed'

function named(text: string, clause: unknown): string {
  const { 'display-name': shown, name } = objectOf(listOf(clause)[1])
  const as = textOf(shown) ?? textOf(name)
  return as === undefined ? text : `${text} as "${as}"`
}

function placeOf(stage: Loose, names: MetabaseNames): string[] | undefined {
  const table = stage['source-table']
  const old = typeof table === 'string' ? /^card__(\d+)$/.exec(table)?.[1] : undefined
  const card = old ?? textOf(stage['source-card'])
  if (card !== undefined) return [cardName(card, names)]
  return table === undefined || table === null ? undefined : [tableName(table, names)]
}

const cardName = (id: string, names: MetabaseNames): string =>
  names.card(id) === undefined ? `question ${id}` : `question "${names.card(id)}"`

/** A number, or the path used by exports: database, schema, table. */
function tableName(ref: unknown, names: MetabaseNames): string {
  if (Array.isArray(ref)) return ref.slice(1, 3).map(textOf).filter(Boolean).join('.')
  return (typeof ref === 'number' ? names.table(ref) : undefined) ?? `table ${textOf(ref) ?? 'unknown'}`
}

function joinText(join: Loose, names: MetabaseNames): string {
  const inner = stagesOf(join)
  const strategy = (textOf(join['strategy']) ?? 'left-join').replace('-join', '')
  const place = placeOf(join, names) ??
    (inner[0] === undefined ? undefined : placeOf(inner[0], names)) ?? ['a query of its own']
  const conditions = join['conditions'] === undefined ? [join['condition']] : listOf(join['conditions'])
  const on = conditions.filter(Array.isArray).map((clause) => clauseText(clause, { names, depth: 0 }))
  return `${strategy} ${place.join('')}${on.length > 0 ? ` on ${on.join(' and ')}` : ''}`
}

interface Saying {
  readonly names: MetabaseNames
  readonly depth: number
  /** Aggregations of the stage, for sorting by one of them. */
  readonly aggregations?: readonly { readonly id: string | undefined; readonly text: string }[]
}

const DEEPEST = 30

/** `[op, options?, ...arguments]`; older releases have no options, or have them at the end. */
function clauseText(clause: unknown, saying: Saying): string {
  if (saying.depth > DEEPEST) return '…'
  if (typeof clause === 'string') return `'${clause}'`
  if (!Array.isArray(clause) || typeof clause[0] !== 'string') return textOf(clause) ?? 'null'
  const [op, ...rest] = clause as [string, ...unknown[]]
  const isOption = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value)
  const args = rest.filter((value) => !isOption(value))
  const options = objectOf(rest.find(isOption))
  const say = (value: unknown): string => clauseText(value, { ...saying, depth: saying.depth + 1 })
  const name = op.toLowerCase()
  return (
    referenceText(name, { args, options, saying, say }) ??
    wordsText(name, { args, options, say }) ??
    `${name}(${args.map(say).join(', ')})`
  )
}

interface Clause {
  readonly args: readonly unknown[]
  readonly options: Loose
  say(value: unknown): string
}

function referenceText(name: string, { args, options, saying, say }: Clause & { readonly saying: Saying }) {
  const { names, aggregations } = saying
  const id = textOf(args[0]) ?? ''
  if (name === 'field' || name === 'field-id' || name === 'field-literal') return fieldText(args[0], options, names)
  if (name === 'fk->') return `${say(wrapped(args[1]))} through ${say(wrapped(args[0]))}`
  if (name === 'joined-field') return say(wrapped(args[1]))
  if (name === 'datetime-field') return `${say(wrapped(args[0]))} by ${textOf(args.at(-1)) ?? ''}`
  if (name === 'binning-strategy') return `${say(wrapped(args[0]))} in bins`
  if (name === 'expression') return id
  if (name === 'segment') return names.segment(id) ?? `segment ${id}`
  if (name === 'metric') return names.card(id) ?? names.measure(id) ?? `metric ${id}`
  if (name === 'measure') return names.measure(id) ?? `measure ${id}`
  if (name === 'aggregation')
    return aggregations?.find((one, i) => one.id === id || String(i) === id)?.text ?? `aggregation ${id}`
  return undefined
}

const wrapped = (value: unknown): unknown => (typeof value === 'number' ? ['field', value, null] : value)

function fieldText(ref: unknown, options: Loose, names: MetabaseNames): string {
  const unit = textOf(options['temporal-unit'])
  const binning = objectOf(options['binning'])
  const through = options['source-field']
  const bins = textOf(binning['num-bins']) ?? textOf(binning['bin-width'])
  return [
    fieldName(ref, names),
    through !== undefined && through !== null && ` through ${fieldName(through, names)}`,
    unit !== undefined && unit !== 'default' && ` by ${unit}`,
    binning['strategy'] !== undefined && ` in bins${bins === undefined ? '' : ` (${bins})`}`,
  ]
    .filter(Boolean)
    .join('')
}

/** A number, the path used by exports, or a column name of the input. */
function fieldName(ref: unknown, names: MetabaseNames): string {
  if (Array.isArray(ref)) return ref.slice(2).map(textOf).filter(Boolean).join('.')
  if (typeof ref !== 'number') return textOf(ref) ?? 'unknown'
  const field = names.field(ref)
  return field === undefined ? `field ${ref}` : `${field.table.slice(field.table.lastIndexOf('.') + 1)}.${field.name}`
}

const INFIX = new Set(['=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/', 'and', 'or'])
const PLAIN = new Map([
  ['is-null', 'is null'],
  ['not-null', 'is not null'],
  ['is-empty', 'is empty'],
  ['not-empty', 'is not empty'],
])
const TEXTUAL = new Set(['contains', 'does-not-contain', 'starts-with', 'ends-with'])

function wordsText(name: string, { args, options, say }: Clause): string | undefined {
  const [first, ...others] = args
  if ((name === '=' || name === '!=') && args.length > 2)
    return `${say(first)} ${name === '=' ? 'in' : 'not in'} (${others.map(say).join(', ')})`
  if (INFIX.has(name)) {
    const isLoose = name === 'and' || name === 'or'
    const side = (value: unknown): string =>
      isLoose && Array.isArray(value) && ['and', 'or'].includes(String(value[0])) ? `(${say(value)})` : say(value)
    return args.length === 1 ? `${name}${say(first)}` : args.map(side).join(` ${name} `)
  }
  if (PLAIN.has(name)) return `${say(first)} ${PLAIN.get(name)!}`
  if (TEXTUAL.has(name)) return `${say(first)} ${name.replaceAll('-', ' ')} ${others.map(say).join(' or ')}`
  if (name === 'between') return `${say(first)} between ${others.map(say).join(' and ')}`
  if (name === 'not') return `not (${say(first)})`
  if (name === 'asc' || name === 'desc') return name === 'asc' ? say(first) : `${say(first)} descending`
  if (name === 'count') return args.length === 0 ? 'count(*)' : `count(${say(first)})`
  if (name === 'distinct') return `count(distinct ${say(first)})`
  if (name === 'value' || name === 'absolute-datetime') return say(first)
  if (name === 'time-interval') return `${say(first)} in ${intervalText(others[0], textOf(others[1]) ?? '')}`
  if (name === 'relative-datetime') return momentText(first, textOf(others[0]) ?? '')
  if (name === 'interval') return `${say(first)} ${textOf(others[0]) ?? ''}`
  if (name === 'aggregation-options')
    return `${say(first)}${textOf(options['display-name']) ? ` as "${textOf(options['display-name'])}"` : ''}`
  if (name === 'case' || name === 'if') return caseText(listOf(first), others[0] ?? options['default'], say)
  return undefined
}

function intervalText(amount: unknown, unit: string): string {
  if (typeof amount !== 'number') return `the ${textOf(amount) ?? 'current'} ${unit}`
  return `the ${amount < 0 ? 'last' : 'next'} ${plural(Math.abs(amount), unit)}`
}

const momentText = (amount: unknown, unit: string): string =>
  typeof amount !== 'number' ? 'now' : amount < 0 ? `${plural(-amount, unit)} ago` : `in ${plural(amount, unit)}`

const caseText = (cases: readonly unknown[], other: unknown, say: (value: unknown) => string): string =>
  [
    'case',
    ...cases.map((one) => `when ${say(listOf(one)[0])} then ${say(listOf(one)[1])}`),
    other !== undefined && other !== null && `else ${say(other)}`,
    'end',
  ]
    .filter(Boolean)
    .join(' ')
