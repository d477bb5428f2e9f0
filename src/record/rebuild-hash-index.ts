import type { Call } from '../kernel/ports/call.ts'
import { formatHashIndex, parseHashIndex } from './domain/decision/duplicate.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { hashOf, rebuiltHashIndex } from './domain/doctor.ts'
import { HASHES } from './domain/files.ts'
import type { Draft, Store } from './ports/store.ts'

/**
 * Rebuilds the hash index from the decisions as this change leaves them. `more` names decisions that the change adds;
 * times are kept from an index that `isTrusted`.
 */
export async function rebuildHashIndex(
  ctx: Pick<Call, 'clock'>,
  store: Pick<Store, 'list'>,
  draft: Draft,
  { more = [], isTrusted = true }: { more?: readonly string[]; isTrusted?: boolean } = {},
): Promise<void> {
  const before = isTrusted ? parseHashIndex(await draft.read(HASHES).catch(() => 'not text')) : undefined
  const hashes = new Map<string, string>()
  for (const path of new Set([...(await store.list()), ...more])) {
    const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
    const text = stem === undefined ? undefined : await draft.read(path).catch(() => undefined)
    const decision = text === undefined ? undefined : readable(text, `${stem}.md`)
    if (decision !== undefined) hashes.set(stem!, hashOf(decision))
  }
  const next = rebuiltHashIndex(hashes, before, ctx.clock.now().toISOString())
  if (before === undefined || hashes.size > 0 || Object.keys(before).length > 0)
    draft.write(HASHES, formatHashIndex(next))
}

function readable(text: string, filename: string): ReturnType<typeof parseDecision> | undefined {
  try {
    return parseDecision(text, filename)
  } catch {
    return undefined
  }
}
