import { AppError } from '../kernel/domain/errors.ts'
import { sayUnknownSetting } from '../kernel/domain/settings.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import { KEPT_DAYS } from './domain/upkeep/upkeep-rules.ts'
import { HARVESTED } from './harvest-sessions.ts'
import { leftOut, type LeftOut } from './left-out.ts'
import type { LocalMemoryNeeds } from './ports/memory-needs.ts'
import type { MemoryStatus } from './ports/memory.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { storageLimits } from './storage-limits.ts'

export interface MemoryCare {
  readonly leftOut: LeftOut
  /** ISO 8601; undefined before the first harvest. */
  readonly lastHarvest: string | undefined
  /** Problems and what to do about them, a sentence each. */
  readonly advice: readonly string[]
}

/** Advice on maintaining the memory. */
export async function memoryCare(ctx: Call & LocalMemoryNeeds, status: MemoryStatus): Promise<MemoryCare> {
  const settings = ctx.settings.unknown().map(sayUnknownSetting)
  const search = searchAdvice(status)
  try {
    const parts = await ctx.upkeep()
    return {
      leftOut: await leftOut(ctx),
      lastHarvest: await parts.state.fact(HARVESTED),
      advice: [
        ...(await diskAdvice(ctx, parts)),
        ...search,
        ...(await sessionAdvice(parts, status)),
        ...(await clientAdvice(ctx, parts)),
        ...freshnessAdvice(parts),
        ...settings,
      ],
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { leftOut: { retention: 0, size: 0 }, lastHarvest: undefined, advice: [error.line, ...search, ...settings] }
  }
}

/** Features that are off, with the way to switch them on. */
export function whatIsOff({ settings }: Pick<Call, 'settings'>): string[] {
  const value = (name: string): unknown => settings.get(name).value
  return [
    ...(value('search.embeddings') === true ? [] : ['search by meaning: `ken config set search.embeddings true`']),
    ...(value('search.expand') === true
      ? []
      : ['other wordings of a question: `ken config set search.expand true`, with a model in model.name']),
    ...(value('search.rerank') === 'off' ? ['a reranker: `ken config set search.rerank http` or `model`'] : []),
    ...((value('codebase.roots') as readonly string[]).length > 0
      ? []
      : ['source code: `ken index-codebase <folder>`']),
    ...(value('upkeep.background') === true
      ? []
      : ['upkeep by a running server: `ken config set upkeep.background true`']),
  ]
}

async function diskAdvice(ctx: Call, { archive }: UpkeepParts): Promise<string[]> {
  const [free, least] = [await archive.freeSpace(), storageLimits(ctx.settings).minFreeBytes]
  return free === undefined || free >= least
    ? []
    : [`Only ${Math.floor(free / 1024 ** 2)} MB are free, less than storage.minFreeDisk: nothing is written.`]
}

function searchAdvice({ pending, embedderFault, missing, byCollection }: MemoryStatus): string[] {
  return [
    ...missing.map(
      ({ collection, root }) =>
        `The folder ${root} is missing: ${collection} (${plural(byCollection[collection] ?? 0, 'document')}) stays as it was indexed${collection === 'codebase' ? '. Set codebase.roots' : ` for ${KEPT_DAYS} days. \`ken collection remove ${collection}\` removes it, \`ken collection add\` names another folder`}.`,
    ),
    ...(embedderFault === undefined ? [] : [`The embedder cannot be used: ${embedderFault}.`]),
    ...(pending > 0 ? [`${plural(pending, 'vector')} are missing; \`ken embed\` makes them.`] : []),
  ]
}

async function sessionAdvice({ archive }: UpkeepParts, { byCollection }: MemoryStatus): Promise<string[]> {
  const waiting = (await archive.list()).length - (byCollection['sessions'] ?? 0)
  return waiting > 0 ? [`${plural(waiting, 'session')} wait to be indexed; \`ken update\` does it.`] : []
}

async function clientAdvice(ctx: Call, { harvesters, state, userHome }: UpkeepParts): Promise<string[]> {
  const wanted = ctx.settings.get('harvest.clients').value as readonly string[]
  const [unread, unwanted]: [string[], string[]] = [[], []]
  for (const harvester of harvesters) {
    const roots = await harvester.roots(userHome)
    if (roots.length > 0 && !wanted.includes(harvester.client)) unwanted.push(harvester.client)
    if (!wanted.includes(harvester.client)) continue
    const cursors = await Promise.all(roots.map((root) => state.cursor(harvester.client, root)))
    if (roots.length > 0 && cursors.every((cursor) => cursor === undefined)) unread.push(harvester.client)
  }
  return [
    ...(unread.length === 0
      ? []
      : [`Sessions of ${unread.join(', ')} are on this machine and were never harvested; \`ken harvest\` reads them.`]),
    ...(unwanted.length === 0
      ? []
      : [`Sessions of ${unwanted.join(', ')} are on this machine, and harvest.clients leaves them out.`]),
  ]
}

/** A free lease means that no process keeps the memory fresh. */
function freshnessAdvice({ maintainer }: UpkeepParts): string[] {
  const release = maintainer.tryTake()
  release?.()
  return release === undefined
    ? []
    : [
        'No process keeps the memory fresh right now: a server does while it runs, and `ken watch --daemon` does always.',
      ]
}
