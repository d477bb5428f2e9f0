import type { ConfigEntry, ContextConfig } from './config.ts'
import { isSameValue } from './edit-config.ts'

interface ConfigChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** Returns the entries that another ken.yaml would add, remove and change, by key. */
export function configChanges(before: ContextConfig | undefined, after: ContextConfig): ConfigChanges {
  const [old, now] = [byKey(before?.entries ?? []), byKey(after.entries)]
  const keys = [...now.keys()]
  return {
    added: keys.filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !now.has(key)),
    changed: keys.filter((key) => old.has(key) && !isSameValue(old.get(key), now.get(key))),
  }
}

/** Maps entries by key. The template folder always exists, so it counts only if changed. */
const byKey = (entries: readonly ConfigEntry[]): ReadonlyMap<string, unknown> =>
  new Map(
    entries.filter(({ key, value }) => key !== 'templates' || value !== 'templates').map((one) => [one.key, one.value]),
  )
