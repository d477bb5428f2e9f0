import { posix } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import { parseRepositoryConfig } from '../kernel/domain/project/config.ts'
import type { Call } from '../kernel/ports/call.ts'
import { parseEvent } from './domain/journal/journal-lines.ts'
import { eventsInOrder } from './domain/journal/merge-journal.ts'
import { isListedFile } from './domain/record-path.ts'
import type { LocalRecordNeeds, RecordNeeds } from './ports/record-needs.ts'
import type { RepositoryHistory, TreeFile } from './ports/repository-history.ts'
import type { Store } from './ports/store.ts'

export interface BaseRecord {
  readonly store: Store
  /** Record folder in the repository; undefined if it is kept elsewhere. */
  readonly folder: string | undefined
  /** The parts that could not be read. */
  readonly notes: readonly string[]
}

const JOURNAL = 'journal/events.jsonl'

/**
 * The record that a change is checked against: as of the base commit and by the base's configuration, so that the
 * change cannot replace it. Undefined if the base has no record. `below`: the working directory,
 * relative to the root of the repository.
 */
export async function openBaseRecord(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  history: RepositoryHistory,
  { commit, below }: { commit: string; below: string },
): Promise<BaseRecord | undefined> {
  const config = await configAt(history, commit, below)
  if (config === undefined) return recordElsewhere(ctx)
  const { id, name, mode } = config.value
  if (mode !== 'repo') {
    const store = await ctx.record()
    if (store.project.id === id) return { store, folder: undefined, notes: [] }
    throw new AppError('forbidden', 'The change binds this folder to another project than its base does.', {
      hint: `Restore ${config.path}, or check out the base and bind it again.`,
    })
  }
  const folder = posix.join(posix.dirname(config.path), 'record')
  const texts = await textsOf(history, await history.files(commit, folder), folder)
  const journal = texts.get(JOURNAL)
  const files = Object.fromEntries([...texts].filter(([path]) => isListedFile(path)))
  const events = eventsInOrder((journal ?? '').split('\n').flatMap((line) => parseEvent(line) ?? []))
  return {
    store: await ctx.recordOf({ id, name, mode, location: folder, fromClone: true }, { files, events }),
    folder,
    notes:
      journal === undefined ? ['The journal of the base could not be read: agent proposals there are unknown.'] : [],
  }
}

/** The nearest configuration above the working directory, in the base. */
async function configAt(history: RepositoryHistory, commit: string, below: string) {
  for (let folder = below; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, '.ken/config.json')
    const [text] = (await textsOf(history, await history.files(commit, path), '')).values()
    if (text !== undefined) return { path, value: parseRepositoryConfig(text, path) }
    if (folder === '.') return undefined
  }
}

async function textsOf(
  history: RepositoryHistory,
  files: readonly TreeFile[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const texts = await history.texts(files.map(({ content }) => content))
  return new Map(
    files.flatMap(({ path, content }) => {
      const text = texts.get(content)
      return text === undefined ? [] : [[folder === '' ? path : path.slice(folder.length + 1), text] as const]
    }),
  )
}

/** A record outside of the repository, which the change cannot modify; not one that the change adds. */
async function recordElsewhere(ctx: Call & RecordNeeds): Promise<BaseRecord | undefined> {
  const store = await ctx.record().catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  })
  return store === undefined || store.project.mode === 'repo' || store.project.fromClone === true
    ? undefined
    : { store, folder: undefined, notes: [] }
}
