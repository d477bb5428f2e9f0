import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import { snapshotName } from './domain/snapshot/snapshot.ts'
import type { FoundRecord } from './ports/lost-records.ts'
import type { LocalRecordNeeds } from './ports/record-needs.ts'
import type { RecordNeeds } from './ports/record-needs.ts'
import { restoreSnapshot } from './restore.ts'
import { startRecord } from './start-record.ts'

export interface WayBack extends Omit<FoundRecord, 'kind'> {
  readonly kind: FoundRecord['kind'] | 'snapshot'
}

export interface Wanted {
  readonly folders: readonly string[]
  readonly commit: string | undefined
}

/**
 * The copy that the user named; otherwise every copy in a known place, and the newest snapshot left in the record
 * itself.
 */
export async function waysBack(
  ctx: Call & LocalRecordNeeds & RecordNeeds,
  project: RegisteredProject,
  wanted: Wanted,
): Promise<WayBack[]> {
  const found = await (await ctx.lostRecords()).find(project, wanted)
  const isNamed = wanted.folders.length > 0 || wanted.commit !== undefined
  return isNamed ? [...found] : [...found, ...(await leftSnapshot(ctx, project))]
}

async function leftSnapshot(ctx: Call & RecordNeeds, project: RegisteredProject): Promise<WayBack[]> {
  if (project.absence !== 'emptied') return []
  const { snapshots } = await ctx.record(project)
  for (const { version } of (await snapshots.list()).toReversed()) {
    const snapshot = await snapshots.read(version).catch(() => undefined)
    const decisions = Object.keys(snapshot?.files ?? {}).filter((path) => path.startsWith('decisions/')).length
    if (decisions > 0)
      return [{ kind: 'snapshot', at: snapshotName(version), decisions, changed: snapshot!.timestamp, proof: 'id' }]
  }
  return []
}

/**
 * Restores a record. `in_place` registers the folder at its current location. Returns the location, and the new
 * location of old contents.
 */
export async function takeWayBack(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  project: RegisteredProject,
  { way, in_place }: { way: WayBack; in_place: boolean },
): Promise<{ location: string; aside: string | undefined }> {
  if (way.kind === 'snapshot') {
    await restoreSnapshot(ctx, await ctx.record(project), { version: Number(way.at.slice(1)), dry_run: false })
    return { location: project.location, aside: undefined }
  }
  if (in_place) {
    if (way.kind !== 'folder' || project.mode === 'repo')
      throw new AppError('invalid_input', 'Only a folder can be used in place, and not for a record in git.', {
        hint: 'Omit --in-place to copy it.',
      })
    await ctx.projects.started(project.id, way.at)
    return { location: way.at, aside: undefined }
  }
  const { aside } = await (await ctx.lostRecords()).bringBack(project, { ...way, kind: way.kind })
  return { location: project.location, aside }
}

/** Starts an empty record in place of an abandoned one. */
export async function startAgain(
  ctx: Call & LocalRecordNeeds & RecordNeeds,
  project: RegisteredProject,
): Promise<{ aside: string | undefined }> {
  const cleared = await (await ctx.lostRecords()).clear(project)
  await startRecord(ctx, await ctx.record(project))
  return cleared
}

export function describeWay({ kind, at, decisions, changed, proof }: WayBack): string {
  const place =
    kind === 'folder' ? at : kind === 'commit' ? `commit ${at.slice(0, 12)} of this repository` : `snapshot ${at}`
  const when = changed === undefined ? '' : `, last changed ${changed.slice(0, 10)}`
  return `${place}: ${plural(decisions, 'decision')}${when}${PROOF[proof]}`
}

const PROOF: Readonly<Record<WayBack['proof'], string>> = {
  journal: '; it holds what this machine saw last',
  id: '',
  none: '; nothing in it says which project it is of',
}
