import { join } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import { type SnapshotInfo, toSnapshot } from '../../domain/snapshot/snapshot.ts'
import type { SnapshotStore } from '../../ports/store.ts'
import type { SnapshotCache } from './decision-index/index.ts'
import { listPlainSnapshots, readPlainSnapshot } from './plain-snapshot.ts'
import { stampOf } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'
import { PACK, parsePack, unpack, type PackEntry, type PackReading } from './snapshot-pack.ts'

export interface FileShelf extends SnapshotStore {
  pack(): Promise<PackReading>
}

/** The pack that Ken appends to, and plain files that came with the record; if both have a version, the pack wins. */
export function openSnapshotStore(folder: RecordFolder, cache: SnapshotCache): FileShelf {
  let known: { stamp: string; pack: PackReading } | undefined

  async function pack(): Promise<PackReading> {
    const stamp = stampOf(join(folder.root, PACK)) ?? ''
    if (known?.stamp === stamp) return known.pack
    const read = parsePack((await folder.readBytes(PACK)) ?? Buffer.alloc(0))
    known = { stamp, pack: read }
    return read
  }

  return {
    pack,
    async list() {
      const byVersion = new Map((await listPlainSnapshots(folder, cache)).map((info) => [info.version, info]))
      for (const entry of (await pack()).entries) byVersion.set(entry.version, toInfo(entry))
      return [...byVersion.values()].sort((a, b) => a.version - b.version)
    },
    async read(version) {
      const { entries } = await pack()
      const at = entries.findIndex((entry) => entry.version === version)
      return at < 0 ? readPlainSnapshot(folder, version) : toSnapshot(entries[at]!, unpackSoundly(entries, at))
    },
  }
}

function unpackSoundly(entries: readonly PackEntry[], at: number): Map<string, string> {
  try {
    return unpack(entries, at)
  } catch (cause) {
    throw new AppError('damaged', `Snapshot v${entries[at]!.version} does not fit the one it builds on.`, {
      hint: '`ken log` lists the others; the next snapshot is independent again.',
      cause,
    })
  }
}

const toInfo = ({
  version,
  timestamp,
  trigger,
  trigger_detail,
  token_count,
  decisions,
}: SnapshotInfo): SnapshotInfo => ({
  version,
  timestamp,
  trigger,
  trigger_detail,
  token_count,
  decisions,
})
