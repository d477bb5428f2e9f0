import { mergeTeam } from '../src/record/domain/merge-team.ts'
import type { Store } from '../src/record/ports/store.ts'

/**
 * Changes a file of the record as two machines would, and merges both: the first text is in force, and a question is
 * open.
 */
export async function plantConflict(
  store: Store,
  path: string,
  change: readonly [first: (text: string) => string, other: (text: string) => string],
): Promise<void> {
  const base: Record<string, string> = {}
  for (const name of await store.list()) base[name] = (await store.read(name))!
  const [team, local] = change.map((one) => ({ ...base, [path]: one(base[path]!) })) as [typeof base, typeof base]
  const { files, asked } = mergeTeam({ base, team, local })
  if (asked.length === 0) throw new Error(`${path} was joined`)
  await store.commit({ surface: 'merge' }, async (draft) => {
    for (const [name, text] of Object.entries(files)) if (text !== base[name]) draft.write(name, text)
    draft.note('merge', {})
    draft.snapshot('merge')
  })
}
