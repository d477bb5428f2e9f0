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
  /** The state after a rewrite that may or may not have been applied: both states are valid. */
  next: seen.optional(),
  /** Ends of journals that were truncated or replaced before Ken's next write, kept until a person accepts the loss. */
  lost: z.array(z.string()).readonly(),
})

/** The ends of journal and snapshots when Ken last saw the record, for detecting truncation. */
export type Seen = z.output<typeof seen>
export type PackHead = z.output<typeof pack>
type HeadFile = z.output<typeof file>

export interface HeadKeeper {
  /** The folder that contains the head file. */
  readonly folder: string
  /** Undefined if this machine has not seen the record yet, or its head file cannot be read. */
  read(): HeadFile | undefined
  /** Never throws: without a head file, the record is as safe as before. */
  keep(head: Pick<HeadFile, 'seen' | 'lost'> & { readonly next?: Seen }): void
}

/**
 * Keeps the head outside the record, so that changing one does not change the other. `folder` contains this machine's
 * knowledge of the record.
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
        // A unique name: verify writes it without the lock.
        const copy = `${path}.${randomUUID()}`
        writeFileSync(copy, JSON.stringify({ version: 1, record: root, ...head } satisfies HeadFile), { mode: 0o600 })
        renameSync(copy, path)
      } catch {
        return
      }
    },
  }
}
