import type { Call } from '../kernel/ports/call.ts'
import { KEPT_DAYS } from './domain/upkeep/upkeep-rules.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'

const MISSING = 'missing folders'
const DAY = 86_400_000

/**
 * Collection folders that have been missing for so long that what is indexed of them is removed. Keeps when each was
 * first found missing; one that is back starts over.
 */
export async function expiredFolders(
  ctx: Call & MemoryNeeds,
  { state, workspaces }: Pick<UpkeepParts, 'state' | 'workspaces'>,
): Promise<readonly string[]> {
  const missing = ctx.collections
    .list()
    .collections.map(({ path }) => path)
    .filter((path) => !workspaces.exists(path))
  const kept = await state.fact(MISSING)
  const before = readSince(kept)
  const now = ctx.clock.now()
  const since = new Map(missing.toSorted().map((path) => [path, before.get(path) ?? now.toISOString()]))
  const next = JSON.stringify([...since])
  if (next !== (kept ?? '[]')) await state.keepFact(MISSING, next)
  return [...since].filter(([, at]) => now.getTime() - Date.parse(at) >= KEPT_DAYS * DAY).map(([path]) => path)
}

function readSince(kept: string | undefined): ReadonlyMap<string, string> {
  return new Map(JSON.parse(kept ?? '[]') as [string, string][])
}
