import { buildContext } from '../core/context/context.ts'
import { PROJECT, QUESTIONS, STACK, STATE, STATE_LEGACY } from '../core/record/files.ts'
import type { Store } from '../ports/store.ts'

/** The page a session starts with, as get_context gives it. Apart from it because hooks must start without loading any schema. */
export async function level0(store: Store): Promise<string> {
  const text = async (path: string) => (await store.read(path)) ?? ''
  const [project, state, stack, questions, catalogue] = await Promise.all([
    text(PROJECT), text(STATE).then((current) => current || text(STATE_LEGACY)), text(STACK), text(QUESTIONS), store.catalogue(),
  ])
  return buildContext('L0', { project, state, history: '', stack, questions, decisions: catalogue.decisions, text: async () => '' })
}
