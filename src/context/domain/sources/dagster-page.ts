import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { cutWhole } from './cut-whole.ts'
import type { DagsterAsset, DagsterFile } from './dagster-assets.ts'
import type { LineageFact } from './lineage.ts'

/** One page per group of assets, and the assets that write each table. */
export function dagsterPages(files: readonly DagsterFile[]): {
  readonly pages: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly facts: readonly LineageFact[]
} {
  const assets = [...new Map(files.flatMap((file) => file.assets).map((asset) => [asset.key, asset])).values()]
  const names = keysByName(assets)
  const runs = schedulesOf(files)
  const whole = assets.map((asset) => ({
    asset,
    upstream: upstreamOf(asset, names),
    schedule: runs(asset) ?? asset.automation,
  }))
  const groups = Map.groupBy(
    whole.toSorted((a, b) => (a.asset.key < b.asset.key ? -1 : 1)),
    ({ asset }) => asset.group,
  )
  return {
    pages: [...groups].map(([group, found]) => ({ id: group, title: group, text: pageOf(group, found) })),
    facts: whole.flatMap(({ asset, upstream, schedule }) => factsOf(asset, upstream, schedule)),
  }
}

interface LinkedAsset {
  readonly asset: DagsterAsset
  readonly upstream: readonly string[]
  readonly schedule: string | undefined
}

function pageOf(group: string, assets: readonly LinkedAsset[]): string {
  const sections = assets.map(({ asset, upstream, schedule }) => {
    const facts = [
      `\`${asset.file}\``,
      asset.isExternal && 'made elsewhere',
      schedule !== undefined && `runs \`${schedule}\``,
      upstream.length > 0 && `made from ${upstream.join(', ')}`,
      asset.writes.length > 0 && `writes ${asset.writes.join(', ')}`,
      asset.reads.length > 0 && `reads ${asset.reads.join(', ')}`,
      asset.owners.length > 0 && `owned by ${asset.owners.join(', ')}`,
      asset.kinds.length > 0 && asset.kinds.join(', '),
      ...asset.metadata.map(([key, text]) => `${key}: ${text}`),
    ].filter((fact) => typeof fact === 'string')
    const about = asset.about?.trim() ?? ''
    return [`## ${asset.key}`, oneLine(facts.join('; ')), ...(about === '' ? [] : [cutWhole(about, 2_000)])].join('\n')
  })
  return `${withoutHidden(cutWhole([`# Dagster assets: ${group}`, ...sections].join('\n\n'), 200_000))}\n`
}

/** Assets by key, by the last part of it, and by Python name; an ambiguous name is omitted. */
function keysByName(assets: readonly DagsterAsset[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  const several = new Set<string>()
  for (const { key, variable } of assets)
    for (const name of new Set([variable, key.slice(key.lastIndexOf('/') + 1)])) {
      if (name === '' || keys.get(name) === key) continue
      if (keys.has(name)) several.add(name)
      keys.set(name, key)
    }
  for (const name of several) keys.delete(name)
  for (const { key } of assets) keys.set(key, key)
  return keys
}

function upstreamOf(
  { key, upstream, parameters }: DagsterAsset,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const told = upstream.map((name) => names.get(name) ?? name)
  const given = parameters.flatMap((name) => names.get(name) ?? [])
  return [...new Set([...told, ...given])].filter((name) => name !== key).toSorted()
}

/** The schedule of a job that produces an asset. */
function schedulesOf(files: readonly DagsterFile[]): (asset: DagsterAsset) => string | undefined {
  const crons = new Map(files.flatMap((file) => file.schedules).map(({ job, cron }) => [job, cron]))
  const jobs = files
    .flatMap((file) => file.jobs)
    .map((job) => ({ ...job, cron: crons.get(job.name) ?? crons.get(job.variable) }))
    .filter((job) => job.cron !== undefined && job.selects !== undefined)
  const groups = new Map<string, string>()
  const assets = new Map<string, string>()
  let all: string | undefined
  for (const { selects, cron } of jobs) {
    if (selects === 'all') all = cron
    else {
      for (const group of selects!.groups) groups.set(group, cron!)
      for (const asset of selects!.assets) assets.set(asset, cron!)
    }
  }
  return (asset) =>
    asset.isExternal
      ? undefined
      : (assets.get(asset.key) ?? assets.get(asset.variable) ?? groups.get(asset.group) ?? all)
}

function factsOf(
  asset: DagsterAsset,
  upstream: readonly string[],
  schedule: string | undefined,
): readonly LineageFact[] {
  const by = `asset ${asset.key}`
  const table = asset.metadata.find(([key]) => key === 'dagster/table_name' || key === 'table_name')?.[1]
  const made = asset.isExternal ? [] : [...new Set([table ?? asset.key.replaceAll('/', '.'), ...asset.writes])]
  return [
    ...made.map((name) => ({ table: name, by, schedule, writes: true })),
    ...[...upstream.map((name) => name.replaceAll('/', '.')), ...asset.reads].map((name) => ({
      table: name,
      by,
      schedule,
      writes: false,
    })),
  ]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
