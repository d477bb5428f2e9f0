import { sqlInBody } from './airflow-task.ts'
import {
  constantsOf,
  entriesOf,
  itemsOf,
  lastName,
  resolved,
  statementsIn,
  textOf,
  type PyCall,
  type PyExpression,
  type PyFunction,
  type PyScope,
  type PyStatement,
} from './python-tree.ts'
import { sqlTables } from './sql-tables.ts'

/** An asset as its file declares it. */
export interface DagsterAsset {
  /** `prefix/name` */
  readonly key: string
  /** Its Python name in its file. */
  readonly variable: string
  readonly file: string
  readonly group: string
  readonly about: string | undefined
  readonly owners: readonly string[]
  readonly kinds: readonly string[]
  readonly metadata: readonly (readonly [string, string])[]
  /** Keys, or Python names of other assets. */
  readonly upstream: readonly string[]
  /** Parameters of its function: upstream assets if one has that name, resources otherwise. */
  readonly parameters: readonly string[]
  readonly automation: string | undefined
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** Whether the asset is produced elsewhere. */
  readonly isExternal: boolean
}

export interface DagsterJob {
  readonly name: string
  readonly variable: string
  /** Groups or assets that it produces; undefined if the file does not name them. */
  readonly selects: { readonly groups: readonly string[]; readonly assets: readonly string[] } | 'all' | undefined
}

export interface DagsterSchedule {
  /** The name of a job, or its Python name. */
  readonly job: string
  readonly cron: string
}

export interface DagsterFile {
  readonly assets: readonly DagsterAsset[]
  readonly jobs: readonly DagsterJob[]
  readonly schedules: readonly DagsterSchedule[]
}

/** The Dagster declarations of one file. */
export function readDagsterFile(
  statements: readonly PyStatement[],
  file: string,
  sqlFile: (path: string) => string | undefined,
): DagsterFile {
  const [assets, jobs, schedules]: [DagsterAsset[], DagsterJob[], DagsterSchedule[]] = [[], [], []]
  const all = statementsIn(statements)
  const found = { assets, jobs, schedules }
  if (!all.some((one) => one.kind === 'import' && /^(?:dagster|dg)(?:[._]|$)/.test(one.module))) return found
  const scope = constantsOf(statements)
  for (const one of all) {
    if (one.kind === 'function') {
      for (const mark of one.decorators) readDecorated(one, mark, { file, scope, sqlFile, found })
    } else if (one.kind === 'assign' || one.kind === 'expression') {
      const variable = one.kind === 'assign' ? one.target : ''
      for (const item of itemsOf(one.value)) if (item.kind === 'call') readCall(item, variable, { file, scope, found })
    }
  }
  return found
}

interface Reading {
  readonly file: string
  readonly scope: PyScope
  readonly found: {
    readonly assets: DagsterAsset[]
    readonly jobs: DagsterJob[]
    readonly schedules: DagsterSchedule[]
  }
}

function readDecorated(
  made: PyFunction,
  mark: PyExpression,
  { sqlFile, ...reading }: Reading & { readonly sqlFile: (path: string) => string | undefined },
): void {
  const { file, scope, found } = reading
  const call = mark.kind === 'call' ? mark : undefined
  const name = lastName(mark.kind === 'call' ? mark.callee : mark.kind === 'name' ? mark.name : '')
  const named = call?.named ?? {}
  if (name === 'asset' || name === 'graph_asset') {
    const tables = sqlInBody(made.body, scope).map((text) =>
      sqlTables(/\.sql$/i.test(text) ? (sqlFile(text) ?? '') : text),
    )
    found.assets.push({
      ...assetOf({ ...EMPTY, named }, { file, scope, variable: made.name }),
      about: textOf(named['description'], scope) ?? made.doc,
      parameters: made.parameters.filter((parameter) => parameter !== 'context'),
      reads: unique(tables.flatMap((one) => one.reads)),
      writes: unique(tables.flatMap((one) => one.writes)),
    })
  } else if (name === 'multi_asset') {
    for (const spec of itemsOf(resolved(named['specs'], scope))) readCall(spec, '', reading, named)
    for (const [key, out] of entriesOf(named['outs'], scope))
      found.assets.push(
        assetOf(
          { ...EMPTY, named: { ...named, ...(out.kind === 'call' && out.named) } },
          { file, scope, variable: key },
        ),
      )
  } else if (name === 'schedule') {
    const cron = textOf(named['cron_schedule'], scope)
    const job = nameIn(named['job'], scope) ?? textOf(named['job_name'], scope)
    if (cron !== undefined && job !== undefined) found.schedules.push({ job, cron })
  } else if (name === 'job') found.jobs.push({ name: made.name, variable: made.name, selects: undefined })
}

const EMPTY: PyCall = { kind: 'call', callee: '', on: undefined, given: [], named: {}, text: '' }

/** `AssetSpec(…)`, `SourceAsset(…)`, `define_asset_job(…)`, `ScheduleDefinition(…)`, including inside lists. */
function readCall(
  value: PyExpression,
  variable: string,
  { file, scope, found }: Reading,
  around: PyCall['named'] = {},
): void {
  const call = resolved(value, scope)
  if (call?.kind !== 'call') return
  const name = lastName(call.callee)
  const { named, given } = call
  if (name === 'AssetSpec' || name === 'SourceAsset' || name === 'AssetOut') {
    const group = around['group_name']
    const whole = { ...call, named: { ...(group && { group_name: group }), ...named } }
    const asset = assetOf(whole, { file, scope, variable })
    if (asset.key !== '') found.assets.push({ ...asset, isExternal: name === 'SourceAsset' })
  } else if (name === 'define_asset_job') {
    const job = textOf(named['name'] ?? given[0], scope)
    if (job !== undefined)
      found.jobs.push({ name: job, variable, selects: selectionOf(named['selection'] ?? given[1], scope) })
  } else if (name === 'ScheduleDefinition') {
    const cron = textOf(named['cron_schedule'], scope)
    const job = named['job'] ?? named['target']
    const inner = job?.kind === 'call' ? textOf(job.named['name'] ?? job.given[0], scope) : nameIn(job, scope)
    if (job?.kind === 'call') readCall(job, '', { file, scope, found })
    const target = inner ?? textOf(named['job_name'], scope)
    if (cron !== undefined && target !== undefined) found.schedules.push({ job: target, cron })
  }
}

function assetOf(
  { named, given }: PyCall,
  { file, scope, variable }: { readonly file: string; readonly scope: PyScope; readonly variable: string },
): DagsterAsset {
  const texts = (field: string): readonly string[] =>
    itemsOf(resolved(named[field], scope)).flatMap((item) => textOf(item, scope) ?? [])
  const own = keyOf(named['key'] ?? given[0], scope) ?? textOf(named['name'], scope) ?? variable
  const automation = named['automation_condition'] ?? named['auto_materialize_policy']
  const ins = [...entriesOf(named['ins'], scope)].map(
    ([name, one]) => (one.kind === 'call' ? keyOf(one.named['key'] ?? one.given[0], scope) : undefined) ?? name,
  )
  return {
    key: named['key'] === undefined ? [...texts('key_prefix'), own].join('/') : own,
    variable,
    file,
    group: textOf(named['group_name'], scope) ?? 'default',
    about: textOf(named['description'], scope),
    owners: texts('owners'),
    kinds: [...texts('kinds'), ...texts('compute_kind')],
    metadata: [...entriesOf(named['metadata'], scope)].flatMap(([key, inner]) => {
      const text = textOf(inner, scope) ?? (inner.kind === 'constant' ? inner.text : undefined)
      return text === undefined ? [] : [[key, text] as const]
    }),
    upstream: unique([...itemsOf(resolved(named['deps'], scope)).flatMap((dep) => keyOf(dep, scope) ?? []), ...ins]),
    parameters: [],
    automation: automation?.kind === 'call' ? automation.text : undefined,
    reads: [],
    writes: [],
    isExternal: false,
  }
}

/** `"a"`, `["a", "b"]`, `AssetKey(["a", "b"])`, `AssetDep("a")`, or the Python name of an asset. */
function keyOf(value: PyExpression | undefined, scope: PyScope): string | undefined {
  const found = resolved(value, scope)
  if (found?.kind === 'call')
    return /(?:AssetKey|AssetDep|AssetSpec|SourceAsset)$/.test(found.callee)
      ? keyOf(found.given[0] ?? found.named['path'] ?? found.named['key'] ?? found.named['asset'], scope)
      : value?.kind === 'name'
        ? value.name
        : undefined
  if (found?.kind === 'list') {
    const parts = found.items.map((item) => textOf(item, scope))
    return parts.includes(undefined) ? undefined : parts.join('/')
  }
  return found?.kind === 'name' ? lastName(found.name) : textOf(found, scope)
}

function selectionOf(value: PyExpression | undefined, scope: PyScope): DagsterJob['selects'] {
  const found = resolved(value, scope)
  if (found === undefined) return undefined
  if (found.kind === 'call') {
    const name = lastName(found.callee)
    if (found.callee.includes('AssetSelection') && name === 'all') return 'all'
    const names = found.given.flatMap((one) => keyOf(one, scope) ?? [])
    if (name === 'groups') return { groups: names, assets: [] }
    return name === 'assets' || name === 'keys' ? { groups: [], assets: names } : undefined
  }
  const names = itemsOf(found).map((one) => keyOf(one, scope))
  if (names.length === 1 && names[0] === '*') return 'all'
  const groups = names.flatMap((name) => /^group:"?([\w-]+)"?$/.exec(name ?? '')?.[1] ?? [])
  if (groups.length === names.length) return { groups, assets: [] }
  // A selection such as `+orders*` needs the whole graph.
  return names.every((name) => name !== undefined && /^[\w/-]+$/.test(name))
    ? { groups: [], assets: names.filter((name) => name !== undefined) }
    : undefined
}

const nameIn = (value: PyExpression | undefined, scope: PyScope): string | undefined =>
  value?.kind === 'name' ? lastName(value.name) : textOf(value, scope)

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted()
