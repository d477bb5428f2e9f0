import { removeSource } from '../../context/operations/sources.ts'
import { plural } from '../../kernel/domain/text.ts'
import { rereadCursor } from '../../memory/domain/upkeep/reread-cursor.ts'
import { leaseTaken, withLease } from '../../memory/lease.ts'
import type { Store } from '../../record/ports/store.ts'
import type { FileCopy, StartReceipt, StartStep } from '../domain/start-receipt.ts'
import { tryWireClient, type FileReport } from '../wire-client.ts'
import { writeAgentsMd } from './agents-md.ts'
import { editedFiles, hashOfConfig } from './carry-out-start.ts'
import { titleOf, written, type StartContext } from './start-plan.ts'

/**
 * Undoes a set-up, or lists what that would do: the same steps in the same order, the reverse of the set-up. Later work
 * stays: a record with newer entries or edits or in other folders, and a context project with files made or edited by
 * hand.
 */
export async function undoStart(
  ctx: StartContext,
  receipt: StartReceipt,
  { dryRun }: { readonly dryRun: boolean },
): Promise<StartStep[]> {
  const copies: FileCopy[] = [...receipt.backups]
  const steps = [
    ...(await undoSessions(ctx, receipt, dryRun)),
    ...(await undoInstructions(ctx, receipt, { dryRun, copies })),
    ...(await undoAgents(ctx, receipt, { dryRun, copies })),
    ...(await undoSources(ctx, receipt, dryRun)),
    ...(await undoContext(ctx, receipt, dryRun)),
  ]
  const record = await undoRecord(ctx, receipt, dryRun)
  const isLeft = record.kept !== undefined
  if (!dryRun) await ctx.startLog.settle(receipt, { record: isLeft ? undefined : record.detail, copies })
  return [...steps, record]
}

const PATIENCE = 30_000

/** Later harvests read these sessions again: unlike `ken forget`, an undo does not keep them out. */
async function undoSessions(ctx: StartContext, { sessions }: StartReceipt, dryRun: boolean): Promise<StartStep[]> {
  if (sessions.length === 0) return []
  const parts = await ctx.upkeep()
  const known = new Set(sessions)
  const there = (await parts.archive.list()).filter(({ path }) => known.has(path))
  if (!dryRun && there.length > 0) {
    const done = await withLease(parts.lease, PATIENCE, async () => {
      const repositories = await parts.repositories()
      for (const harvester of parts.harvesters.filter(({ client }) => there.some((one) => one.client === client)))
        for (const root of await harvester.roots(parts.userHome, repositories))
          await parts.state.keepCursor(
            harvester.client,
            root,
            rereadCursor(await parts.state.cursor(harvester.client, root)) ?? '',
          )
      await parts.archive.remove(there.map(({ path }) => path))
      return true
    })
    if (done === undefined) throw leaseTaken()
    const memory = await ctx.memory()
    await memory.update({ collections: ['sessions'], embed: false, progress: ctx.progress, signal: ctx.signal })
    await parts.space.reclaim()
  }
  return [undone('sessions', 'Remove the sessions', plural(there.length, 'session'))]
}

interface Removal {
  readonly dryRun: boolean
  /** Copies of the files as they were before each change. */
  readonly copies: FileCopy[]
}

const copiesOf = (files: readonly FileReport[]): FileCopy[] =>
  files.flatMap(({ path, backup }) => (backup === undefined ? [] : [{ path, backup }]))

async function undoInstructions(
  ctx: StartContext,
  { root, hasInstructions }: StartReceipt,
  { dryRun, copies }: Removal,
): Promise<StartStep[]> {
  if (!hasInstructions) return []
  const files = await writeAgentsMd(ctx, { ...removalIn(root, dryRun), body: '' })
  copies.push(...copiesOf(files))
  return [{ ...undone('instructions', 'Remove the instructions for agents', ''), ...written(ctx, root, files) }]
}

/** In reverse order: a client's earlier files own the folders that later ones are in. */
async function undoAgents(
  ctx: StartContext,
  { root, agents }: StartReceipt,
  { dryRun, copies }: Removal,
): Promise<StartStep[]> {
  const steps: StartStep[] = []
  for (const { client, scope } of agents.toReversed()) {
    const wanted = { client, scope, withHooks: true, withSkills: true, adopting: root }
    const { files, problem } = await tryWireClient(ctx, { ...removalIn(root, dryRun), ...wanted })
    copies.push(...copiesOf(files))
    steps.push({
      ...undone(`agent:${client}`, `Disconnect ${titleOf(client)}`, ''),
      ...written(ctx, root, files.filter(isOwn)),
      ...(problem !== undefined && { problem: problem.message }),
    })
  }
  return steps
}

const removalIn = (root: string, dryRun: boolean) => ({ root, mode: 'remove', dryRun, allowTracked: false }) as const

const isOwn = ({ shared }: FileReport): boolean => shared !== true

async function undoContext(ctx: StartContext, { root, context }: StartReceipt, dryRun: boolean): Promise<StartStep[]> {
  if (context === undefined) return []
  const step = undone('context', 'Remove the context project', context.root)
  const now = await editedFiles(ctx, context.root)
  const edited = Object.keys({ ...now, ...context.files }).filter((path) => now[path] !== context.files[path])
  const left = (await ctx.leftovers([root], { data: true })).find(
    ({ kind, what }) => kind === 'context' && what === context.root,
  )
  if (left === undefined) return []
  const why = left.kept ?? (edited.length > 0 ? `changed since: ${someOf(edited)}` : undefined)
  if (why !== undefined) return [{ ...step, kept: [`${context.root}: ${why}`] }]
  if (!dryRun) {
    for (const { name, path } of ctx.collections.list().collections)
      if (path === context.root) ctx.collections.remove(name)
    ctx.trust.revoke(context.root)
    await left.remove()
  }
  return [{ ...step, files: [`${context.root.slice(root.length + 1)}/`] }]
}

/** Sources in a context project that was there before: their entries leave, unless ken.yaml was changed since. */
async function undoSources(ctx: StartContext, { root, added }: StartReceipt, dryRun: boolean): Promise<StartStep[]> {
  if (added === undefined) return []
  const file = `${added.root}/ken.yaml`
  const isChanged = (await hashOfConfig(ctx, added.root)) !== added.config
  const steps: StartStep[] = []
  for (const key of added.keys) {
    const step = undone(`source:${key}`, `Remove ${key} from the context project`, '')
    if (isChanged) {
      steps.push({ ...step, kept: [`${key}: ${file} was changed since. \`ken source remove ${key}\` removes it.`] })
      continue
    }
    const files = dryRun ? 0 : (await removeSource(ctx, added.root, { name: key, forget_secret: false })).files
    const compiled = `${plural(files, 'compiled file')}: the next \`ken sync\` deletes ${files === 1 ? 'it' : 'them'}`
    steps.push({ ...step, files: [file.slice(root.length + 1)], ...(files > 0 && { kept: [compiled] }) })
  }
  return steps
}

async function undoRecord(
  ctx: StartContext,
  { root, project: id, events }: StartReceipt,
  dryRun: boolean,
): Promise<StartStep> {
  const project = (await ctx.projects.list()).find((one) => one.id === id)
  const step = undone('record', 'Remove the record', project?.location ?? '')
  if (project === undefined) return step
  const why = await laterWork(await ctx.record(project), events, project.repositories.length)
  const files = ['.ken/config.json']
  if (why !== undefined) {
    if (!dryRun) await ctx.projects.unbind(id, root)
    const way = `\`ken adopt --project ${id}\` binds it again.`
    return { ...step, what: 'Release the folder', files, kept: [`The record: ${why}. ${way}`] }
  }
  if (!dryRun) await ctx.projects.remove(id, 'delete')
  return { ...step, files }
}

/** Why a record must outlive the undo of its set-up. Edits by hand are in no journal until they are accepted. */
async function laterWork(store: Store, events: number, folders: number): Promise<string | undefined> {
  if (folders > 1) return `${plural(folders - 1, 'other folder')} uses it`
  const newer = (await store.journal()).length - events
  if (newer !== 0) return `${plural(Math.abs(newer), 'change')} since the set-up`
  const edited = [...new Set((await store.verify()).map(({ path }) => path))]
  return edited.length === 0 ? undefined : `changed by hand: ${someOf(edited)}`
}

const MOST_NAMED = 10

const someOf = (paths: readonly string[]): string =>
  [...paths.slice(0, MOST_NAMED), ...(paths.length > MOST_NAMED ? [`${paths.length - MOST_NAMED} more`] : [])].join(
    ', ',
  )

const undone = (id: string, what: string, detail: string): StartStep => ({
  id,
  what,
  detail,
  files: [],
  choice: 'always',
})
