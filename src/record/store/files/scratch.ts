import { chmodSync, mkdirSync } from 'node:fs'
import { openBoundedFolder, type BoundedFolder } from '../../../kernel/system/bounded-folder.ts'
import { recordStateFolder } from '../../../kernel/system/record-state-folder.ts'
import { decodeIntent, type Intent } from './intent.ts'

/**
 * The location of a record's crash state: in the user's home, named after the record's real path. It is never in the
 * record itself, because a repository's contents may come from a clone, and recovery acts on them.
 */
export interface Scratch {
  /** Contains `lock` and this machine's other knowledge of the record. */
  readonly folder: string
  /** Creates the folder, accessible only to the owner. */
  makeFolder(): void
  /** Writes an intent that is not acted upon yet. */
  stage(id: string, text: string): void
  /** Atomic: from now on the change will be finished. Durable after `sync`. */
  publish(id: string): void
  /** Atomic: from now on the change will be rolled back instead. */
  giveUp(id: string): void
  sync(): void
  forget(id: string): void
  /** Leftovers of a crash or of a change in progress, oldest first. */
  leftovers(): Leftover[]
  discard(name: string): void
}

export interface Leftover {
  readonly name: string
  /** Undefined if incomplete or not published: nothing of it has been applied. */
  readonly intent: Intent | undefined
  readonly todo: 'finish' | 'undo'
}

const NAME = /^[0-9A-HJKMNP-TV-Z]{26}\.(?:staged|intent|undo)$/

/** `root` is the record's real path. */
export function openScratch(stateDir: string, root: string): Scratch {
  const folder = recordStateFolder(stateDir, root)
  let opened: BoundedFolder | undefined
  const files = (): BoundedFolder => (opened ??= openBoundedFolder(folder))
  const read = (name: string): Intent | undefined => decodeIntent(files().read(name)?.toString('utf8') ?? '')

  return {
    folder,
    makeFolder() {
      if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(stateDir, 0o700)
    },
    stage: (id, text) => files().create(`${id}.staged`, text, 0o600),
    publish: (id) => void files().move(`${id}.staged`, `${id}.intent`),
    giveUp: (id) => void files().move(`${id}.intent`, `${id}.undo`),
    sync: () => files().sync(''),
    forget(id) {
      for (const kind of ['staged', 'intent', 'undo']) files().remove(`${id}.${kind}`)
    },
    leftovers: () =>
      files()
        .entries('')
        .filter((entry) => entry.isFile() && NAME.test(entry.name))
        .map(({ name }) => ({ name, todo: name.endsWith('.undo') ? ('undo' as const) : ('finish' as const) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((found) => ({ ...found, intent: found.name.endsWith('.staged') ? undefined : read(found.name) })),
    discard: (name) => files().remove(name),
  }
}
