import { listOf, objectOf, objectsOf, textOf, textsOf, type Loose } from './loose-value.ts'
import { plainName } from './page.ts'

/** The metrics of a dbt project, from any of its files. */
export interface SemanticLayer {
  readonly models: readonly SemanticModel[]
  readonly metrics: readonly Metric[]
  readonly savedQueries: readonly SavedQuery[]
}

export interface SemanticModel {
  readonly name: string
  readonly description: string | undefined
  /** Its name in the database. */
  readonly table: string
  /** Default time dimension for measures without one. */
  readonly time: string | undefined
  readonly entities: readonly Entity[]
  readonly dimensions: readonly Dimension[]
  readonly measures: readonly Measure[]
}

export interface Entity {
  readonly name: string
  readonly type: string
  /** A column, or an expression. */
  readonly column: string
}

export interface Dimension {
  readonly name: string
  readonly type: string
  readonly column: string
  readonly grain: string | undefined
  readonly description: string | undefined
}

export interface Measure {
  readonly name: string
  readonly aggregation: string
  readonly expression: string
  readonly percentile: string | undefined
  readonly time: string | undefined
  readonly nonAdditive: string | undefined
  readonly description: string | undefined
}

export interface Metric {
  readonly id: string
  readonly name: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly type: string
  readonly filters: readonly string[]
  /** The aggregation of a simple metric that defines its own, and its semantic model. */
  readonly own: { readonly model: string; readonly measure: Measure } | undefined
  readonly expression: string | undefined
  readonly inputs: readonly MetricInput[]
  /** Further settings of its type: `window` and `7 days`. */
  readonly facts: readonly (readonly [string, string])[]
}

/** A metric or a measure as input of a metric. */
export interface MetricInput {
  readonly role: 'measure' | 'numerator' | 'denominator' | 'input' | 'base' | 'conversion'
  readonly name: string
  readonly alias: string | undefined
  readonly filters: readonly string[]
  readonly offset: string | undefined
}

export interface SavedQuery {
  readonly name: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly metrics: readonly string[]
  readonly groupBy: readonly string[]
  readonly filters: readonly string[]
}

/** Reads manifest.json, with entries by id, or semantic_manifest.json, with lists. */
export function semanticsOfManifest(value: unknown): SemanticLayer {
  const manifest = objectOf(value)
  const all = (key: string): readonly Loose[] =>
    Array.isArray(manifest[key]) ? objectsOf(manifest[key]) : objectsOf(Object.values(objectOf(manifest[key])))
  return {
    models: all('semantic_models').flatMap((one) => modelOf(one, relationName(objectOf(one['node_relation'])))),
    metrics: all('metrics').flatMap((one) => metricOf(one, undefined)),
    savedQueries: all('saved_queries').flatMap(savedQueryOf),
  }
}

/** A project's YAML, in the format of old and new releases; `tableOf` returns a model's database name. */
export function semanticsOfYaml(
  files: readonly unknown[],
  tableOf: (model: string) => string | undefined,
): SemanticLayer {
  const found = files.map((file) => {
    const { semantic_models, models, metrics, saved_queries } = objectOf(file)
    const embedded = objectsOf(models).flatMap((one) => embeddedModel(one, tableOf))
    const old = objectsOf(semantic_models).flatMap((one) => {
      const model = referredModel(textOf(one['model']) ?? '')
      return modelOf(one, tableOf(model) ?? model)
    })
    return {
      models: [...old, ...embedded.map(({ model }) => model)],
      metrics: [
        ...embedded.flatMap((one) => one.metrics),
        ...objectsOf(metrics).flatMap((one) => metricOf(one, undefined)),
      ],
      savedQueries: objectsOf(saved_queries).flatMap(savedQueryOf),
    }
  })
  return {
    models: found.flatMap(({ models }) => models),
    metrics: found.flatMap(({ metrics }) => metrics),
    savedQueries: found.flatMap(({ savedQueries }) => savedQueries),
  }
}

export const isEmptyLayer = ({ models, metrics }: SemanticLayer): boolean => models.length + metrics.length === 0

function relationName({ schema_name, alias, relation_name }: Loose): string {
  const parts = [textOf(schema_name), textOf(alias)].filter((part) => part !== undefined)
  return plainName(parts.length > 0 ? parts.join('.') : (textOf(relation_name) ?? ''))
}

/** `ref('orders')`, `ref('package', 'orders')`, `ref('orders', v=2)`. */
function referredModel(text: string): string {
  const names = [...text.slice(0, 500).matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? '')
  return names.at(-1) ?? text
}

function modelOf(one: Loose, table: string): SemanticModel[] {
  const name = textOf(one['name'])
  if (name === undefined) return []
  const primary = textOf(one['primary_entity'])
  const entities = objectsOf(one['entities']).flatMap(entityOf)
  return [
    {
      name,
      description: textOf(one['description']),
      table: table || name,
      time: textOf(objectOf(one['defaults'])['agg_time_dimension']),
      entities: [
        ...entities,
        ...(primary === undefined || entities.some(({ type }) => type === 'primary')
          ? []
          : [{ name: primary, type: 'primary', column: '' }]),
      ],
      dimensions: objectsOf(one['dimensions']).flatMap(dimensionOf),
      measures: objectsOf(one['measures']).flatMap((measure) => measureOf(measure)),
    },
  ]
}

/** `semantic_model` inside a model: columns declare their role, and simple metrics replace measures. */
function embeddedModel(
  one: Loose,
  tableOf: (model: string) => string | undefined,
): { readonly model: SemanticModel; readonly metrics: readonly Metric[] }[] {
  const name = textOf(one['name'])
  const given = one['semantic_model']
  const settings = objectOf(given)
  if (name === undefined || (given !== true && (given === undefined || settings['enabled'] === false))) return []
  if (given === false || given === null) return []
  const modelName = textOf(settings['name']) ?? name
  const columns = objectsOf(one['columns'])
  const derived = objectOf(one['derived_semantics'])
  const [model] = modelOf(
    {
      name: modelName,
      description: one['description'],
      defaults: { agg_time_dimension: one['agg_time_dimension'] },
      primary_entity: one['primary_entity'],
      entities: [...columns.flatMap((column) => columnPart(column, 'entity')), ...listOf(derived['entities'])],
      dimensions: [...columns.flatMap((column) => columnPart(column, 'dimension')), ...listOf(derived['dimensions'])],
    },
    tableOf(name) ?? name,
  )
  return [{ model: model!, metrics: objectsOf(one['metrics']).flatMap((metric) => metricOf(metric, modelName)) }]
}

/** `entity: foreign`, or a mapping with its own name. */
function columnPart(column: Loose, key: 'entity' | 'dimension'): Loose[] {
  const part = column[key]
  if (part === undefined || part === null || part === false) return []
  const settings = objectOf(part)
  return [
    {
      ...settings,
      type: settings['type'] ?? (typeof part === 'string' ? part : undefined),
      name: settings['name'] ?? column['name'],
      expr: settings['expr'] ?? column['name'],
      description: settings['description'] ?? column['description'],
      granularity: settings['granularity'] ?? column['granularity'],
    },
  ]
}

function entityOf(one: Loose): Entity[] {
  const name = textOf(one['name'])
  if (name === undefined) return []
  return [{ name, type: textOf(one['type']) ?? '', column: textOf(one['expr']) ?? name }]
}

function dimensionOf(one: Loose): Dimension[] {
  const name = textOf(one['name'])
  if (name === undefined) return []
  const grain = textOf(objectOf(one['type_params'])['time_granularity']) ?? textOf(one['granularity'])
  return [
    {
      name,
      type: textOf(one['type']) ?? 'categorical',
      column: textOf(one['expr']) ?? name,
      grain: grain?.toLowerCase(),
      description: textOf(one['description']),
    },
  ]
}

function measureOf(one: Loose, name = textOf(one['name'])): Measure[] {
  const aggregation = textOf(one['agg'])
  if (name === undefined || aggregation === undefined) return []
  const params = objectOf(one['agg_params'])
  const limits = objectOf(one['non_additive_dimension'])
  const groups = [...textsOf(limits['group_by']), ...textsOf(limits['window_groupings'])]
  const taken = textOf(limits['window_agg']) ?? textOf(limits['window_choice']) ?? 'min'
  const nonAdditive = textOf(limits['name'])
  return [
    {
      name,
      aggregation: aggregation.toLowerCase(),
      expression: textOf(one['expr']) ?? name,
      percentile: textOf(params['percentile']) ?? textOf(one['percentile']),
      time: textOf(one['agg_time_dimension']),
      nonAdditive: nonAdditive && `${taken} of ${nonAdditive}${groups.length > 0 ? ` per ${groups.join(', ')}` : ''}`,
      description: textOf(one['description']),
    },
  ]
}

function metricOf(one: Loose, model: string | undefined): Metric[] {
  const name = textOf(one['name'])
  if (name === undefined || objectOf(one['config'])['enabled'] === false) return []
  // Old releases keep the settings of a type in `type_params`, new ones beside the name; manifests have null for the
  // rest.
  const typed = objectOf(one['type_params'])
  const params: Loose = Object.assign(
    {},
    ...[one, typed, objectOf(typed['cumulative_type_params']), objectOf(typed['conversion_type_params'])].map(
      withoutEmpty,
    ),
  )
  const aggregated = withoutEmpty(objectOf(params['metric_aggregation_params']))
  const own = measureOf({ ...params, ...aggregated }, name)[0]
  const type = (textOf(one['type']) ?? 'simple').toLowerCase()
  const place = textOf(aggregated['semantic_model']) ?? model
  const inputs = [
    ...inputOf('measure', params['measure'] ?? params['metric'] ?? params['input_metric']),
    ...inputOf('numerator', params['numerator']),
    ...inputOf('denominator', params['denominator']),
    ...[...listOf(params['metrics']), ...listOf(params['input_metrics'])].flatMap((input) => inputOf('input', input)),
    ...inputOf('base', params['base_measure'] ?? params['base_metric']),
    ...inputOf('conversion', params['conversion_measure'] ?? params['conversion_metric']),
  ]
  return [
    {
      id: textOf(one['unique_id']) ?? `metric.${name}`,
      name,
      label: textOf(one['label']),
      description: textOf(one['description']),
      type,
      filters: filtersOf(one['filter']),
      own: type === 'simple' && own !== undefined && place !== undefined ? { model: place, measure: own } : undefined,
      expression: type === 'derived' ? textOf(params['expr']) : undefined,
      inputs,
      facts: factsOf(params, type),
    },
  ]
}

const withoutEmpty = (value: Loose): Loose =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined))

function factsOf(params: Loose, type: string): [string, string][] {
  const constants = objectsOf(params['constant_properties'])
    .map((one) => [textOf(one['base_property']), textOf(one['conversion_property'])].filter(Boolean).join(' = '))
    .join(', ')
  const facts: [string, string | undefined][] = [
    ['window', windowOf(params['window'])],
    ['to date', textOf(params['grain_to_date'])],
    ['within a period', type === 'cumulative' ? textOf(params['period_agg']) : undefined],
    ['entity', type === 'conversion' ? textOf(params['entity']) : undefined],
    ['calculation', type === 'conversion' ? textOf(params['calculation']) : undefined],
    ['same', constants],
    ['default grain', textOf(params['time_granularity'])],
    ['empty as', textOf(params['fill_nulls_with']) ?? textOf(objectOf(params['measure'])['fill_nulls_with'])],
  ]
  return facts.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
}

/** `7 days`, as a text or as dbt's count and grain. */
function windowOf(value: unknown): string | undefined {
  const { count, granularity, window_string } = objectOf(value)
  return (
    textOf(value) ??
    textOf(window_string) ??
    ([textOf(count), textOf(granularity)].filter(Boolean).join(' ') || undefined)
  )
}

function inputOf(role: MetricInput['role'], value: unknown): MetricInput[] {
  const settings = objectOf(value)
  const name = textOf(value) ?? textOf(settings['name']) ?? textOf(settings['measure']) ?? textOf(settings['metric'])
  if (name === undefined) return []
  const shift = windowOf(settings['offset_window'])
  const start = textOf(settings['offset_to_grain'])
  return [
    {
      role,
      name,
      alias: textOf(settings['alias']),
      filters: filtersOf(settings['filter']),
      offset: shift !== undefined ? `${shift} earlier` : start && `at the start of the ${start}`,
    },
  ]
}

/** A text, a list of texts, or dbt's parsed form. */
function filtersOf(value: unknown): readonly string[] {
  const parsed = objectsOf(objectOf(value)['where_filters']).flatMap((one) => textsOf(one['where_sql_template']))
  return parsed.length > 0 ? parsed : textsOf(value)
}

function savedQueryOf(one: Loose): SavedQuery[] {
  const name = textOf(one['name'])
  if (name === undefined) return []
  const params = { ...one, ...objectOf(one['query_params']) }
  return [
    {
      name,
      label: textOf(one['label']),
      description: textOf(one['description']),
      metrics: textsOf(params['metrics']),
      groupBy: textsOf(params['group_by']),
      filters: filtersOf(params['where']),
    },
  ]
}
