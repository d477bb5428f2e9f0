import { join } from 'node:path'
import { countDecisions, snapshotName, type Snapshot, type SnapshotInfo } from '../../core/snapshot/snapshot.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { RecordFolder } from './record-folder.ts'
import { stampOf } from './stamp.ts'

export interface PlainShelf {
  readonly infos: readonly SnapshotInfo[]
  readonly damaged: readonly { readonly path: string; readonly message: string }[]
}

const NAME = /^v(\d{3,})\.json$/

/** Snapshots as single `vNNN.json` files, as other programs of this format keep them. Each is a whole copy, so what it says is remembered by its stamp. */
export async function listPlainSnapshots(folder: RecordFolder, cache: CacheDatabase): Promise<PlainShelf> {
  const infos: SnapshotInfo[] = []
  const damaged: { path: string; message: string }[] = []
  for (const name of (await folder.names('snapshots', '.json')).filter((n) => NAME.test(n))) {
    const info = await infoOf(folder, cache, name)
    if (info === undefined) damaged.push({ path: `snapshots/${name}`, message: 'is no snapshot: it cannot be read, or its version is not that of its name' })
    else infos.push(info)
  }
  return { infos, damaged }
}

export async function readPlainSnapshot(folder: RecordFolder, version: number): Promise<Snapshot | undefined> {
  try {
    const text = await folder.readText(`snapshots/${snapshotName(version)}.json`)
    return text === undefined ? undefined : parseSnapshot(text, version)
  } catch {
    return undefined
  }
}

async function infoOf(folder: RecordFolder, cache: CacheDatabase, name: string): Promise<SnapshotInfo | undefined> {
  const stamp = stampOf(join(folder.root, 'snapshots', name)) ?? ''
  const [known] = cache.rows('SELECT facts FROM shelf WHERE name = ? AND stamp = ?', name, stamp) as [string | null][]
  if (known !== undefined) return known[0] === null ? undefined : (JSON.parse(known[0]) as SnapshotInfo)
  const snapshot = await readPlainSnapshot(folder, Number(NAME.exec(name)![1]))
  const info = snapshot && toInfo(snapshot)
  rememberInfo(cache, name, { stamp, info })
  return info
}

function rememberInfo(cache: CacheDatabase, name: string, { stamp, info }: { stamp: string; info: SnapshotInfo | undefined }): void {
  try {
    cache.run('INSERT INTO shelf VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, facts = excluded.facts', name, stamp, info === undefined ? null : JSON.stringify(info))
  } catch {
    // Only derived: it is read again next time.
    return
  }
}

function parseSnapshot(text: string, version: number): Snapshot | undefined {
  const value = JSON.parse(text) as Partial<Snapshot>
  if (value.version !== version || version < 1 || typeof value.timestamp !== 'string' || typeof value.files !== 'object' || value.files === null) return undefined
  return {
    schema_version: value.schema_version ?? 0,
    version,
    timestamp: value.timestamp,
    trigger: value.trigger ?? '',
    trigger_detail: value.trigger_detail ?? '',
    token_count: value.token_count ?? 0,
    files: value.files,
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
