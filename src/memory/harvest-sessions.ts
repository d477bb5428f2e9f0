import { AppError } from '../kernel/domain/errors.ts'
import { throwIfStopped } from '../kernel/domain/stop.ts'
import type { Call } from '../kernel/ports/call.ts'
import { moveSession } from './domain/session/move-session.ts'
import type { HarvestedSession } from './domain/session/session.ts'
import { rereadCursor } from './domain/upkeep/reread-cursor.ts'
import { mayReturn } from './domain/upkeep/session-retention.ts'
import { ROOM_AT_EVICTION } from './evict-sessions.ts'
import type { Harvester, HarvestEvent } from './ports/harvester.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { openSessionIntake, type Outcome, type SessionIntake } from './session-intake.ts'
import { openSessionPlaces, workspaceIn } from './session-places.ts'
import { storageLimits, type StorageLimits, checkDisk } from './storage-limits.ts'

export interface HarvestRequest {
  /** Client names; the setting `harvest.clients` when empty. */
  readonly clients: readonly string[]
  readonly dryRun: boolean
  /** Reads everything again, including logs already read. */
  readonly again: boolean
  /** Defers work over all sessions to the next cycle. */
  readonly isHasty?: boolean
}

export interface ClientHarvest extends Record<Outcome, number> {
  readonly client: string
  readonly roots: readonly string[]
  /** Copies removed because their session is now empty. */
  emptied: number
  redactions: number
  badLines: number
  /** Skipped items, by reason. */
  readonly skipped: Record<string, number>
  /** Skipped items that a person may want to check. */
  readonly faults: { readonly path: string; readonly why: string; readonly reason: string }[]
}

/** Reads everything that agents on this machine wrote since the last harvest. The caller holds the lease. */
export async function harvestSessions(
  ctx: Call,
  parts: UpkeepParts,
  request: HarvestRequest,
): Promise<readonly ClientHarvest[]> {
  const limits = storageLimits(ctx.settings)
  const now = ctx.clock.now()
  const { returning, hasMoreRoom } = await whatMayReturn(parts, limits, now)
  const folders = await knownFolders(ctx)
  const intake = await openSessionIntake(parts, { limits, now, dryRun: request.dryRun, folders, hasMoreRoom })
  const reports: ClientHarvest[] = []
  const repositories = await parts.repositories()
  for (const harvester of chosen(parts.harvesters, request.clients, ctx)) {
    const report = emptyReport(harvester.client, await harvester.roots(parts.userHome, repositories))
    reports.push(report)
    const back = returning.filter(({ client }) => client === harvester.client)
    const reading = { harvester, report, intake, reread: back.length > 0 }
    for (const root of report.roots) await harvestRoot({ ...reading, root }, request, { ctx, parts })
    // Includes sessions with a deleted log, which cannot return.
    if (!request.dryRun && back.length > 0) await parts.state.raise(back)
  }
  if (!request.dryRun) {
    if (!request.isHasty) await settleSessions(ctx, parts)
    await keepTime(parts, now)
  }
  return reports
}

/** Key of the last harvest time in the state. */
export const HARVESTED = 'harvested'
const MINUTE = 60_000

/** Stores the time to the minute, so that a harvest that finds nothing does not write to the disk each time. */
async function keepTime({ state }: UpkeepParts, now: Date): Promise<void> {
  const before = Date.parse((await state.fact(HARVESTED)) ?? '')
  if (!(Math.abs(now.getTime() - before) < MINUTE)) await state.keepFact(HARVESTED, now.toISOString())
}

/** Evicted or expired sessions that the current limits would admit, however they were changed. */
async function whatMayReturn({ state }: UpkeepParts, { retentionDays, maxBytes }: StorageLimits, now: Date) {
  const hasMoreRoom = maxBytes > Number((await state.fact(ROOM_AT_EVICTION)) ?? Infinity)
  const limits = { retentionDays, hasMoreRoom }
  const returning = (await state.tombstones()).filter((stone) => mayReturn(stone, now.getTime(), limits))
  return { returning, hasMoreRoom }
}

interface Reading {
  readonly harvester: Harvester
  readonly root: string
  readonly report: ClientHarvest
  readonly intake: SessionIntake
  /** True if something read before must be read again. */
  readonly reread: boolean
}

/**
 * Harvests one root. The cursor is saved last: after an interruption, the next harvest reads the same logs again and
 * finds the files already written.
 */
async function harvestRoot(
  reading: Reading,
  request: HarvestRequest,
  { ctx, parts }: { ctx: Call; parts: UpkeepParts },
): Promise<void> {
  const { harvester, root } = reading
  const kept = request.again ? undefined : await parts.state.cursor(harvester.client, root)
  const before = reading.reread ? rereadCursor(kept) : kept
  let told = 0
  for await (const event of harvester.read(root, before)) {
    // Ken's requests to a client are stored as chats; harvested here, they would appear as a person's work.
    if (event.kind === 'session' && isAskedByKen(event.session, parts.home)) continue
    if (event.kind === 'cursor') {
      await reading.intake.remember()
      if (!request.dryRun && event.cursor !== before) await parts.state.keepCursor(harvester.client, root, event.cursor)
      continue
    }
    if (event.kind === 'session') ctx.progress(`${harvester.client} sessions`, ++told, 0)
    await takeIn(reading, event)
    throwIfStopped(ctx.signal)
  }
}

/**
 * Whether Ken made the request: clients that answer as the analyst run in a folder of Ken's home, whichever path leads
 * to it.
 */
function isAskedByKen({ projectDir, directory }: HarvestedSession, home: string): boolean {
  const own = `/${home.split(/[\\/]/).at(-1)}/agent-clients/`
  return [projectDir, directory].some((folder) => folder?.replaceAll('\\', '/').includes(own))
}

async function takeIn(
  { harvester, report, intake }: Reading,
  event: Exclude<HarvestEvent, { kind: 'cursor' }>,
): Promise<void> {
  if (event.kind === 'session') {
    const { outcome, redactions } = await intake.take(event.session)
    report[outcome]++
    report.redactions += redactions
    report.badLines += event.session.badLines
    return
  }
  const { path, why, reason, session } = event
  report.skipped[why] = (report.skipped[why] ?? 0) + 1
  if (why !== 'empty') report.faults.push({ path, why, reason })
  else if (session !== undefined && (await intake.drop(harvester.client, session))) report.emptied++
}

/** A client named on the command line must exist; a setting may name one unknown to this version. */
function chosen(harvesters: readonly Harvester[], named: readonly string[], ctx: Call): readonly Harvester[] {
  const known = harvesters.map(({ client }) => client)
  const unknown = named.find((client) => !known.includes(client))
  if (unknown !== undefined)
    throw new AppError('invalid_input', `Sessions of "${unknown}" are not supported.`, {
      hint: `It knows ${known.join(', ')}.`,
    })
  const wanted = named.length > 0 ? named : (ctx.settings.get('harvest.clients').value as readonly string[])
  return harvesters.filter(({ client }) => wanted.includes(client))
}

const emptyReport = (client: string, roots: readonly string[]): ClientHarvest => ({
  client,
  roots,
  new: 0,
  changed: 0,
  unchanged: 0,
  expired: 0,
  buried: 0,
  emptied: 0,
  redactions: 0,
  badLines: 0,
  skipped: {},
  faults: [],
})

/**
 * Moves every session to its current workspace and returns the number moved. The new file is complete before the old
 * one is removed, so a crash leaves two of them at worst, and the next harvest removes one. The caller holds the lease.
 */
async function settleSessions(ctx: Call, parts: UpkeepParts): Promise<number> {
  const { archive } = parts
  const sessions = await archive.list()
  const places = openSessionPlaces(parts.workspaces, sessions, await knownFolders(ctx))
  const paths = new Set(sessions.map(({ path }) => path))
  const moved: string[] = []
  for (const session of sessions) {
    const { path } = session
    const current = workspaceIn(path)
    const workspace = places.ofArchived(session)
    if (workspace === current) continue
    const target = `${workspace}${path.slice(current.length)}`
    if (!paths.has(target)) {
      if (moved.length === 0) await checkDisk(ctx, parts)
      const text = await archive.read(path)
      if (text !== undefined) await archive.write(target, moveSession(text, workspace))
      paths.add(target)
    }
    moved.push(path)
  }
  if (moved.length > 0) await archive.remove(moved)
  return moved.length
}

/** Includes repositories without recorded sessions: they may still have had worktrees. */
async function knownFolders({ projects, settings }: Pick<Call, 'projects' | 'settings'>): Promise<string[]> {
  const repositories = (await projects.list()).flatMap((project) => project.repositories)
  return [...repositories, ...(settings.get('codebase.roots').value as string[])]
}
