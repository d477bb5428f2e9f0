import { plural } from '../../../kernel/domain/text.ts'
import type { Discrepancy } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'
import type { PackHead, Seen } from './head.ts'
import { parsePlainSnapshot, plainNames } from './plain-snapshot.ts'
import type { RecordFolder } from './record-folder.ts'
import { PACK, parsePack, walkPack, type PackReading } from './snapshot-pack.ts'

export interface SnapshotFindings {
  readonly discrepancies: readonly Discrepancy[]
  readonly notes: readonly string[]
  /** The state to remember. */
  readonly seen: Pick<Seen, 'pack' | 'plain'>
}

export interface SnapshotExpectation {
  readonly seen: Seen | undefined
  readonly next: Seen | undefined
  readonly given: ReadonlySet<string>
  /** False if the journal has no event: then there is no Ken snapshot either. */
  readonly isJournalled: boolean
  /** The last journalled hash of a file. */
  journalled(path: string): string | null | undefined
}

/** Reads every byte of the snapshots again: the hash of each line in the pack covers that line and those before it. */
export async function inspectSnapshots(folder: RecordFolder, expected: SnapshotExpectation): Promise<SnapshotFindings> {
  const pack = parsePack((await folder.readBytes(PACK)) ?? Buffer.alloc(0))
  const plain = await plainDigests(folder)
  const found = [...packFaults(pack, expected), ...plainFaults(plain, expected)].filter(
    ({ about }) => about === undefined || about.length === 0 || !about.every((hash) => expected.given.has(hash)),
  )
  const pruned = Object.keys(expected.seen?.plain ?? {}).filter((name) => !plain.has(name)).length
  return {
    discrepancies: found,
    notes:
      pruned === 0
        ? []
        : [`${plural(pruned, 'snapshot')} in single files ${pruned === 1 ? 'is' : 'are'} no longer there.`],
    seen: {
      ...(pack.ends.length === 0 ? {} : { pack: { size: pack.size, end: pack.ends.at(-1)! } }),
      plain: Object.fromEntries([...plain].map(([name, { digest }]) => [name, digest])),
    },
  }
}

function packFaults(pack: PackReading, { seen, next, isJournalled }: SnapshotExpectation): Discrepancy[] {
  const found = (message: string, about: readonly string[]): Discrepancy => ({
    path: PACK,
    kind: 'damaged',
    message,
    about,
  })
  const known = [seen?.pack, next?.pack].filter((head) => head !== undefined)
  const unsound = [...walkPack(pack.entries)].filter(({ texts }) => texts === undefined)
  return [
    ...pack.damaged.map(({ message, lines }) => found(message, lines)),
    ...unsound.map(({ entry }) => found(`v${entry.version} cannot be unpacked`, [sha256(entry.payload)])),
    ...(known.length === 0 || known.some((head) => endsRight(pack, head)) ? [] : [lostEnd(pack, known[0]!)]),
    ...(pack.entries.length > 0 && !isJournalled && seen === undefined
      ? [
          {
            path: 'journal/events.jsonl',
            kind: 'missing',
            message: `is gone: Ken took ${plural(pack.entries.length, 'snapshot')} here, each with a line in it`,
          } as const,
        ]
      : []),
  ]
}

/** A pack may have grown since; it must not have lost its end. */
function endsRight(pack: PackReading, known: PackHead): boolean {
  const at = pack.ends.indexOf(known.end)
  return at >= 0 && (at < pack.ends.length - 1 || pack.size === known.size)
}

function lostEnd(pack: PackReading, known: PackHead): Discrepancy {
  if (pack.ends.length === 0)
    return { path: PACK, kind: 'missing', message: 'is gone, and with it the snapshots', about: [known.end] }
  return {
    path: PACK,
    kind: 'damaged',
    message: 'does not end as Ken left it: it was changed, cut off or replaced',
    about: [known.end],
  }
}

interface PlainDigest {
  readonly digest: string
  readonly isSound: boolean
}

function plainFaults(
  plain: ReadonlyMap<string, PlainDigest>,
  { seen, journalled }: SnapshotExpectation,
): Discrepancy[] {
  return [...plain].flatMap(([name, { digest, isSound }]): Discrepancy[] => {
    const path = `snapshots/${name}`
    if (!isSound)
      return [
        {
          path,
          kind: 'damaged',
          message: 'is not a snapshot: it cannot be read, or its version is not the one in its name',
          about: [digest],
        },
      ]
    const known = seen?.plain[name] ?? journalled(path) ?? undefined
    return known === undefined || known === digest
      ? []
      : [{ path, kind: 'damaged', message: 'is not as it was when Ken first saw it', about: [digest] }]
  })
}

async function plainDigests(folder: RecordFolder): Promise<Map<string, PlainDigest>> {
  const digests = new Map<string, PlainDigest>()
  for (const { name, version } of await plainNames(folder)) {
    const bytes = await folder.readBytes(`snapshots/${name}`)
    if (bytes !== undefined)
      digests.set(name, { digest: sha256(bytes), isSound: parsePlainSnapshot(bytes, version) !== undefined })
  }
  return digests
}

/** Adds the hashes of plain-file snapshots that were not seen before. */
export async function withNewPlain(
  folder: RecordFolder,
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const plain: Record<string, string> = { ...known }
  for (const { name } of await plainNames(folder)) {
    if (name in plain) continue
    const bytes = await folder.readBytes(`snapshots/${name}`)
    if (bytes !== undefined) plain[name] = sha256(bytes)
  }
  return plain
}
