import type { Measure, Metric, MetricInput, SavedQuery, SemanticLayer, SemanticModel } from './dbt-semantics.ts'
import { code, lines, oneLine, section, sqlLine, table, type PagePart } from './page.ts'

export interface SemanticPage {
  readonly id: string
  readonly title: string
  readonly folder: 'metrics' | 'semantic_models' | 'saved_queries'
  readonly parts: readonly PagePart[]
}

/** A page for every metric, semantic model and saved query, with table and column names of the database. */
export function semanticPages(layer: SemanticLayer): readonly SemanticPage[] {
  const known = indexLayer(layer)
  return [
    ...layer.metrics.map((one) => ({
      id: one.id,
      title: one.name,
      folder: 'metrics' as const,
      parts: metricParts(one, known),
    })),
    ...layer.models.map((one) => ({
      id: `semantic_model.${one.name}`,
      title: one.name,
      folder: 'semantic_models' as const,
      parts: modelParts(one, known),
    })),
    ...layer.savedQueries.map((one) => ({
      id: `saved_query.${one.name}`,
      title: one.name,
      folder: 'saved_queries' as const,
      parts: savedQueryParts(one, known),
    })),
  ]
}

interface Known {
  readonly models: ReadonlyMap<string, SemanticModel>
  readonly metrics: ReadonlyMap<string, Metric>
  readonly measures: ReadonlyMap<string, Placed>
  /** Columns by names such as `order__status`. */
  readonly columns: ReadonlyMap<string, string>
  /** Models by the entity that is their key and that others refer to. */
  readonly keys: ReadonlyMap<string, readonly { readonly model: SemanticModel; readonly column: string }[]>
  /** Names of the metrics that read a semantic model. */
  readonly readers: Map<string, string[]>
}

/** A measure, and the semantic model it belongs to. */
interface Placed {
  readonly model: SemanticModel
  readonly measure: Measure
}

function indexLayer({ models, metrics }: SemanticLayer): Known {
  const keys = new Map<string, { model: SemanticModel; column: string }[]>()
  const columns = new Map<string, string>()
  for (const model of models) {
    for (const { name, type, column } of model.entities) {
      columns.set(name, column || name)
      if (isKey(type) && column !== '') {
        const others = keys.get(name)
        if (others === undefined) keys.set(name, [{ model, column }])
        else others.push({ model, column })
      }
    }
    const primary = primaryOf(model)
    if (primary !== undefined)
      for (const { name, column } of model.dimensions) columns.set(`${primary}__${name}`, column)
  }
  const known: Known = {
    models: new Map(models.map((model) => [model.name, model])),
    metrics: new Map(metrics.map((metric) => [metric.name, metric])),
    measures: new Map(models.flatMap((model) => model.measures.map((measure) => [measure.name, { model, measure }]))),
    columns,
    keys,
    readers: new Map(),
  }
  for (const metric of metrics)
    for (const { model } of placesOf(metric, known)) {
      const others = known.readers.get(model.name)
      if (others === undefined) known.readers.set(model.name, [metric.name])
      else others.push(metric.name)
    }
  return known
}

const isKey = (type: string): boolean => ['primary', 'unique', 'natural'].includes(type)
const primaryOf = (model: SemanticModel): string | undefined =>
  model.entities.find(({ type }) => type === 'primary')?.name

const MOST_INPUTS = 200

/** The measures of a metric, through the metrics it consists of; each once, even if they form a cycle. */
function placesOf(metric: Metric, known: Known): readonly Placed[] {
  const found: Placed[] = []
  const seen = new Set<string>()
  const waiting: Metric[] = [metric]
  for (let one = waiting.pop(); one !== undefined && seen.size < MOST_INPUTS; one = waiting.pop()) {
    if (seen.has(one.name)) continue
    seen.add(one.name)
    const model = one.own && known.models.get(one.own.model)
    if (model !== undefined) found.push({ model, measure: one.own!.measure })
    for (const input of one.inputs) {
      const measure = measureFor(input, known)
      const next = known.metrics.get(input.name)
      if (measure !== undefined) found.push(measure)
      else if (next !== undefined) waiting.push(next)
    }
  }
  return [...new Map(found.map((one) => [one.model.name, one])).values()]
}

/** Old releases use measures as inputs, new ones metrics; a metric may have the name of its measure. */
function measureFor({ role, name }: MetricInput, known: Known): Placed | undefined {
  const isOfMetrics = role === 'input' || role === 'numerator' || role === 'denominator'
  return isOfMetrics && known.metrics.has(name) ? undefined : known.measures.get(name)
}

function metricParts(one: Metric, known: Known): readonly PagePart[] {
  const places = placesOf(one, known)
  const [first] = places
  const formula = formulaOf(one, known)
  const inputs = one.type === 'simple' ? [] : one.inputs
  return [
    `# ${oneLine(one.label ?? one.name)}`,
    `The dbt metric \`${one.name}\`, ${one.type}.`,
    one.description,
    lines([
      formula !== undefined && `- Formula: ${code(formula)}`,
      ...inputs.map((input) => `- ${inputLine(input, known, places.length > 1)}`),
      ...one.facts.map(([name, value]) => `- ${name[0]!.toUpperCase()}${name.slice(1)}: ${oneLine(value)}`),
      filterLine('- Only where: ', [...measureFilters(one), ...one.filters], known),
      places.length > 0 &&
        `- ${places.length > 1 ? 'Tables' : 'Table'}: ${places.map(({ model }) => placeName(model)).join(', ')}`,
      places.length === 1 && timeLine(first!),
      places.length === 1 && first!.measure.nonAdditive && `- Not added up over time: ${first!.measure.nonAdditive}`,
      places.length === 1 && dimensionLine(first!.model),
      ...places.flatMap(({ model }) => joinsOf(model, known)).map((join) => `- Join: ${join}`),
    ]),
  ]
}

const measureFilters = (one: Metric): readonly string[] =>
  one.type === 'simple' ? one.inputs.flatMap(({ filters }) => filters) : []

const placeName = (model: SemanticModel): string =>
  model.table === model.name ? model.table : `${model.table} (semantic model \`${model.name}\`)`

/** One line; the inputs of a metric are listed on separate lines. */
function formulaOf(one: Metric, known: Known): string | undefined {
  if (one.own !== undefined) return measureText(one.own.measure)
  const [input] = one.inputs
  if (one.type === 'derived') return one.expression
  if (one.type === 'ratio') {
    const part = (role: MetricInput['role']): string =>
      one.inputs.find((other) => other.role === role)?.name ?? 'unknown'
    return `${part('numerator')} / ${part('denominator')}`
  }
  if (one.type !== 'simple' || input === undefined) return undefined
  const measure = known.measures.get(input.name)
  return measure === undefined ? input.name : measureText(measure.measure)
}

function measureText({ aggregation, expression, percentile }: Measure): string {
  const of = sqlLine(expression)
  if (aggregation === 'count' && /^(?:1|\*)$/.test(of)) return 'count(*)'
  if (aggregation === 'count_distinct') return `count(distinct ${of})`
  if (aggregation === 'average') return `avg(${of})`
  if (aggregation === 'sum_boolean') return `sum(case when ${of} then 1 else 0 end)`
  if (percentile !== undefined) return `percentile(${of}, ${percentile})`
  return `${aggregation}(${of})`
}

function inputLine(input: MetricInput, known: Known, isOfSeveral: boolean): string {
  const placed = measureFor(input, known)
  const metric = placed === undefined ? known.metrics.get(input.name) : undefined
  const formula = placed === undefined ? metric && formulaOf(metric, known) : measureText(placed.measure)
  const places = placed !== undefined ? [placed] : metric === undefined ? [] : placesOf(metric, known)
  const role = input.role === 'input' || input.role === 'measure' ? '' : `${input.role} `
  return [
    `${role}\`${input.name}\``,
    input.alias !== undefined && input.alias !== input.name && ` as \`${input.alias}\``,
    formula !== undefined && formula !== input.name && `: ${code(formula)}`,
    isOfSeveral && places.length === 1 && ` of ${places[0]!.model.table}`,
    filterLine(', only where ', [...input.filters, ...(metric?.filters ?? [])], known),
    input.offset && `, ${input.offset}`,
  ]
    .filter(Boolean)
    .join('')
}

/** `{{ Dimension('order__status') }}` is replaced by its column. */
const FIELD = /\{\{[ \t]{0,9}(?:Dimension|TimeDimension|Entity)\([ \t]{0,9}['"]([\w.]{1,200})['"][^{}]{0,200}\}\}/g

function filterLine(lead: string, filters: readonly string[], known: Known): string | false {
  if (filters.length === 0) return false
  const texts = filters.map((filter) =>
    sqlLine(filter.replaceAll(FIELD, (_, name: string) => known.columns.get(name) ?? name.replace(/^.*__/s, ''))),
  )
  return `${lead}${code(texts.join(' and '))}`
}

function timeLine({ model, measure }: Placed): string | false {
  const name = measure.time ?? model.time
  if (name === undefined) return false
  const dimension = model.dimensions.find((one) => one.name === name)
  const column = dimension?.column ?? name
  return `- Time: ${code(column)}${dimension?.grain ? `, by ${dimension.grain} or longer` : ''}`
}

const MOST_DIMENSIONS = 60
const MOST_JOINS = 20

function dimensionLine(model: SemanticModel): string | false {
  if (model.dimensions.length === 0) return false
  const shown = model.dimensions
    .slice(0, MOST_DIMENSIONS)
    .map(({ name, column }) => (column === name ? name : `${name} (${sqlLine(column)})`))
  const rest = model.dimensions.length - shown.length
  return `- By: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more of semantic model \`${model.name}\`` : ''}`
}

/** Joins of entities that one model refers to and another has as its key. */
function joinsOf(model: SemanticModel, known: Known): readonly string[] {
  return model.entities.flatMap(({ name, type, column }) =>
    (known.keys.get(name) ?? [])
      .slice(0, MOST_JOINS)
      .filter((key) => key.model !== model && column !== '')
      .map((key) => {
        const many = isKey(type) ? 'one to one' : 'many to one'
        return `${code(`${model.table}.${column} = ${key.model.table}.${key.column}`)}, ${many}`
      }),
  )
}

function modelParts(one: SemanticModel, known: Known): readonly PagePart[] {
  const primary = primaryOf(one)
  return [
    `# ${one.name}`,
    `The dbt semantic model \`${one.name}\` of ${one.table}.${one.time ? ` Time: ${code(one.time)}.` : ''}`,
    one.description,
    section(
      'Entities',
      table(
        ['entity', 'type', 'column'],
        one.entities.map(({ name, type, column }) => [name, type, sqlLine(column)]),
      ),
    ),
    section('Joins', lines(joinsOf(one, known).map((join) => `- ${join}`))),
    section(
      'Dimensions',
      table(
        ['dimension', 'type', 'column', 'about'],
        one.dimensions.map(({ name, type, grain, column, description }) => [
          primary === undefined ? name : `${primary}__${name}`,
          grain === undefined ? type : `${type}, ${grain}`,
          sqlLine(column),
          description,
        ]),
      ),
    ),
    section(
      'Measures',
      table(
        ['measure', 'formula', 'about'],
        one.measures.map((measure) => [measure.name, measureText(measure), measure.description]),
      ),
    ),
    known.readers.has(one.name) && `Metrics: ${known.readers.get(one.name)!.join(', ')}`,
  ]
}

function savedQueryParts(one: SavedQuery, known: Known): readonly PagePart[] {
  return [
    `# ${oneLine(one.label ?? one.name)}`,
    `The dbt saved query \`${one.name}\`.`,
    one.description,
    lines([
      one.metrics.length > 0 && `- Metrics: ${one.metrics.join(', ')}`,
      one.groupBy.length > 0 && `- By: ${one.groupBy.map(groupName).join(', ')}`,
      filterLine('- Only where: ', one.filters, known),
    ]),
  ]
}

/** `TimeDimension('metric_time', 'day')` is `metric_time by day`. */
const groupName = (text: string): string => {
  const [name, grain] = [...text.slice(0, 500).matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? '')
  return name === undefined ? text : grain === undefined ? name : `${name} by ${grain}`
}
