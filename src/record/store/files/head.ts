import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const pack = z.object({ size: z.number(), end: z.string() })
const journal = z.object({ size: z.number(), lines: z.number(), tips: z.array(z.string()).readonly() })
const seen = z.object({ journal, pack: pack.optional(), plain: z.record(z.string(), z.string()) })
const file = z.object({
  version: z.literal(1),
  record: z.string(),
  seen,
  /** A rewriting that may or may not have landed: either is right. */
  next: seen.optional(),
  /** Tips of journals that were cut or replaced before Ken wrote on, until a person accepts it. */
  lost: z.array(z.string()).readonly(),
})

/** Where journal and snapshots of a record ended when Ken last saw them: what tells that their ends were cut off. */
export type Seen = z.output<typeof seen>
export type PackHead = z.output<typeof pack>
type HeadFile = z.output<typeof file>

export interface HeadKeeper {
  /** The folder that it lies in. */
  readonly folder: string
  /** Undefined when this machine has not seen the record yet, or what it remembered cannot be read. */
  read(): HeadFile | undefined
  /** Never throws: where it cannot be kept, the record is as safe as without it. */
  keep(head: Pick<HeadFile, 'seen' | 'lost'> & { readonly next?: Seen }): void
}

/**
 * Kept apart from the record, so that nobody who can change the one has changed the other. `folder` is the one that
 * holds what this machine knows of the record.
 */
export function openHead(folder: string, root: string): HeadKeeper {
  const path = join(folder, 'head.json')
  return {
    folder,
    read() {
      try {
        const read = file.safeParse(JSON.parse(readFileSync(path, 'utf8')))
        return read.success && read.data.record === root ? read.data : undefined
      } catch {
        return undefined
      }
    },
    keep(head) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // A name of its own: verify keeps it without the lock.
        const copy = `${path}.${randomUUID()}`
        writeFileSync(copy, JSON.stringify({ version: 1, record: root, ...head } satisfies HeadFile), { mode: 0o600 })
        renameSync(copy, path)
      } catch {
        return
      }
    },
  }
}
