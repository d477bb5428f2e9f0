import { join } from 'node:path'
import { z } from 'zod'
import { type Snapshot, type SnapshotInfo, countDecisions, snapshotName } from '../../domain/snapshot/snapshot.ts'
import { decode } from '../record-text.ts'
import type { SnapshotCache } from './decision-index/index.ts'
import { stampOf } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'

// The unpacked limit of a packed snapshot; larger files are not read.
const MOST_BYTES = 64 * 2 ** 20
const NAME = /^v(\d{3,})\.json$/

/**
 * Snapshots as single `vNNN.json` files, as other programs of this format keep them. Each is a full copy, so its
 * contents are cached by its stamp.
 */
export async function listPlainSnapshots(folder: RecordFolder, cache: SnapshotCache): Promise<SnapshotInfo[]> {
  const infos: SnapshotInfo[] = []
  for (const { name } of await plainNames(folder)) {
    const info = await infoOf(folder, cache, name)
    if (info !== undefined) infos.push(info)
  }
  return infos
}

export const plainNames = async (folder: RecordFolder): Promise<{ name: string; version: number }[]> =>
  (await folder.names('snapshots', '.json')).flatMap((name) => {
    const version = NAME.exec(name)?.[1]
    return version === undefined ? [] : [{ name, version: Number(version) }]
  })

export async function readPlainSnapshot(folder: RecordFolder, version: number): Promise<Snapshot | undefined> {
  try {
    const path = `snapshots/${snapshotName(version)}.json`
    if ((folder.files.stat(path)?.size ?? 0) > MOST_BYTES) return undefined
    const bytes = await folder.readBytes(path)
    return bytes && parsePlainSnapshot(bytes, version)
  } catch {
    return undefined
  }
}

async function infoOf(folder: RecordFolder, cache: SnapshotCache, name: string): Promise<SnapshotInfo | undefined> {
  const stamp = stampOf(join(folder.root, 'snapshots', name)) ?? ''
  const known = cache.plain(name, stamp)
  if (known !== undefined) return known ?? undefined
  const snapshot = await readPlainSnapshot(folder, Number(NAME.exec(name)![1]))
  const info = snapshot && toInfo(snapshot)
  cache.rememberPlain(name, stamp, info ?? null)
  return info
}

/** Undefined for bytes that are not a snapshot of that version. */
export function parsePlainSnapshot(bytes: Buffer, version: number): Snapshot | undefined {
  if (bytes.length > MOST_BYTES || version < 1) return undefined
  const read = snapshotFile.safeParse(parseText(bytes))
  return read.success && read.data.version === version ? { ...read.data, version } : undefined
}

const snapshotFile = z.object({
  schema_version: z.number().default(0),
  version: z.number(),
  timestamp: z.string(),
  trigger: z.string().default(''),
  trigger_detail: z.string().default(''),
  token_count: z.number().default(0),
  files: z.record(z.string(), z.string()),
})

function parseText(bytes: Buffer): unknown {
  try {
    return JSON.parse(decode(bytes, 'snapshot'))
  } catch {
    return undefined
  }
}

const toInfo = (snapshot: Snapshot): SnapshotInfo => ({
  version: snapshot.version!,
  timestamp: snapshot.timestamp,
  trigger: snapshot.trigger,
  trigger_detail: snapshot.trigger_detail,
  token_count: snapshot.token_count,
  decisions: countDecisions(snapshot.files),
})
