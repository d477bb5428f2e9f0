import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import type { Decision } from '../core/decision/decision.ts'
import type { Store } from '../ports/store.ts'
import { readDecision } from './record-answer.ts'

const AT_ONCE = 64

/** The full texts of many decisions, by stem. One that cannot be read now is left out; doctor says why. */
export async function readDecisions(store: Pick<Store, 'read'>, entries: readonly CatalogueEntry[]): Promise<Map<string, Decision>> {
  const texts = new Map<string, Decision>()
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    await Promise.all(entries.slice(from, from + AT_ONCE).map(async ({ stem }) => {
      const decision = await readDecision(store, stem)
      if (decision !== undefined) texts.set(stem, decision)
    }))
  }
  return texts
}
