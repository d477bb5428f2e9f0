import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { snapshotName } from '../core/snapshot/snapshot.ts'
import { plural } from '../core/text.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { recordFields, whose } from './record-answer.ts'

export const restore = defineOperation({
  name: 'restore',
  title: 'Go back to a snapshot',
  summary: 'Put the record back as a snapshot has it; the state before is itself a snapshot, so it can be undone.',
  effect: 'write',
  toolset: 'desk',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['version'],
  input: {
    version: z.string().regex(/^v?\d+$/, 'say it like v012 or 12').describe('A snapshot of `ken log`, e.g. v012.'),
    dry_run: z.boolean().default(false).describe('Only say what would change.'),
    ...projectField,
  },
  output: { ...recordFields, version: z.number(), written: z.array(z.string()), removed: z.array(z.string()), dry_run: z.boolean() },
  examples: [],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const version = Number(input.version.replace(/^v/, ''))
    const snapshot = await store.snapshots.read(version)
    if (snapshot === undefined) throw new AppError('not_found', `There is no snapshot ${snapshotName(version)}.`, { hint: '`ken log` lists them.' })
    return store.commit(ctx.origin, async (draft) => {
      const present = (await store.list()).filter((path) => !path.startsWith('context/'))
      const written: string[] = []
      for (const [path, text] of Object.entries(snapshot.files)) {
        if ((await draft.read(path)) === text) continue
        written.push(path)
        if (!input.dry_run) draft.write(path, text)
      }
      const removed = present.filter((path) => !(path in snapshot.files))
      const changes = written.length + removed.length
      if (!input.dry_run && changes > 0) {
        for (const path of removed) draft.remove(path)
        draft.note('restore', { version })
        draft.snapshot(`restore: ${snapshotName(version)}`)
      }
      return { ...whose(store), version, written, removed, dry_run: input.dry_run }
    })
  },
  render(output) {
    const lines = [...output.written.map((path) => `  ~ ${path}`), ...output.removed.map((path) => `  - ${path}`)]
    if (lines.length === 0) return `The record is already as ${snapshotName(output.version)} has it.`
    return [`${output.dry_run ? 'Would change' : 'Restored'} ${snapshotName(output.version)}: ${plural(lines.length, 'file')}`, ...lines].join('\n')
  },
})
