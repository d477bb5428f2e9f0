import type { Call } from '../kernel/ports/call.ts'
import { scaffold } from './domain/scaffold.ts'
import type { Store } from './ports/store.ts'

/** Writes the first files of a new record; does not change a record that already has files. */
export async function startRecord(ctx: Pick<Call, 'origin' | 'clock'>, store: Store): Promise<boolean> {
  return store.commit(ctx.origin, async (draft) => {
    if ((await draft.catalogue()).decisions.length > 0) return false
    for (const [path, text] of Object.entries(
      scaffold(store.project.name, ctx.clock.now().toISOString().slice(0, 10)),
    )) {
      if ((await draft.read(path)) === undefined) draft.write(path, text)
    }
    draft.note('init', {})
    draft.snapshot('init')
    return true
  })
}
