import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { isSnapshotFile } from '../../core/record/record-path.ts'
import { snapshotName, type Snapshot } from '../../core/snapshot/snapshot.ts'
import { plural } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { Store } from '../../ports/store.ts'
import { rebuildHashIndex } from '../../record/rebuild-hash-index.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const restore = defineOperation({
  name: 'restore',
  title: 'Go back to a snapshot',
  summary:
    'Put the record, or single files of it, back as a snapshot has them; the state before is itself a snapshot, so it can be undone.',
  effect: 'write',
  words: 'own',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['version'],
  input: {
    version: z
      .string()
      .regex(/^v?\d+$/, 'say it like v012 or 12')
      .describe('A snapshot of `ken log`, e.g. v012.'),
    files: z
      .array(z.string().min(1).max(500))
      .max(1000)
      .optional()
      .describe('Only these, e.g. decisions/012-use-postgres.md.'),
    dry_run: z.boolean().default(false).describe('Only say what would change.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    version: z.number(),
    written: z.array(z.string()),
    removed: z.array(z.string()),
    dry_run: z.boolean(),
  },
  examples: [
    { title: 'See what would change', input: { version: 'v002', dry_run: true } },
    { title: 'One file', input: { version: 'v002', files: ['state_current.md'] } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const version = Number(input.version.replace(/^v/, ''))
    const snapshot = await store.snapshots.read(version)
    if (snapshot === undefined)
      throw new AppError('not_found', `There is no snapshot ${snapshotName(version)}.`, {
        hint: '`ken log` lists them.',
      })
    const chosen = input.files === undefined ? undefined : chosenFiles(input.files, snapshot)
    if (!input.dry_run) await captureBefore(ctx, store)
    return store.commit(ctx.origin, async (draft) => {
      const written: string[] = []
      for (const [path, text] of Object.entries(snapshot.files)) {
        if (
          !isSnapshotFile(path) ||
          chosen?.has(path) === false ||
          (await draft.read(path).catch(() => undefined)) === text
        )
          continue
        written.push(path)
        if (!input.dry_run) draft.write(path, text)
      }
      const present = (await store.list()).filter(isSnapshotFile)
      const removed = chosen === undefined ? present.filter((path) => !Object.hasOwn(snapshot.files, path)) : []
      if (!input.dry_run && written.length + removed.length > 0) {
        for (const path of removed) draft.remove(path)
        await rebuildHashIndex(ctx, store, draft, { more: written })
        draft.note('restore', { version, ...(chosen && { files: [...chosen] }) })
        draft.snapshot(`restore: ${snapshotName(version)}`)
      }
      return { ...whose(store), version, written, removed, dry_run: input.dry_run }
    })
  },
  render(output) {
    const lines = [...output.written.map((path) => `  ~ ${path}`), ...output.removed.map((path) => `  - ${path}`)]
    if (lines.length === 0) return `The record is already as ${snapshotName(output.version)} has it.`
    return [
      `${output.dry_run ? 'Would change' : 'Restored'} ${snapshotName(output.version)}: ${plural(lines.length, 'file')}`,
      ...lines,
    ].join('\n')
  },
})

function chosenFiles(files: readonly string[], snapshot: Snapshot): ReadonlySet<string> {
  const absent = files.find((path) => !Object.hasOwn(snapshot.files, path) || !isSnapshotFile(path))
  if (absent === undefined) return new Set(files)
  throw new AppError('not_found', `${snapshotName(snapshot.version ?? 0)} has no file ${absent}.`, {
    hint: 'Name it as `ken restore <version> --dry-run` does; `ken log` lists the snapshots.',
  })
}

/** What was edited since the last snapshot would be lost otherwise: no snapshot holds it. */
async function captureBefore(ctx: Context, store: Store): Promise<void> {
  const newest = (await store.snapshots.list()).at(-1)
  const last = newest && (await store.snapshots.read(newest.version).catch(() => undefined))
  const present = (await store.list()).filter(isSnapshotFile)
  const texts = await Promise.all(present.map((path) => store.read(path).catch(() => undefined)))
  const isCaptured =
    last !== undefined &&
    Object.keys(last.files).length === present.length &&
    present.every((path, at) => texts[at] === undefined || last.files[path] === texts[at])
  if (isCaptured) return
  await store.commit(ctx.origin, async (draft) => {
    draft.note('snapshot', {})
    draft.snapshot('before a restore')
  })
}
