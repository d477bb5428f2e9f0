import { toBytes, toDayLimit } from '../kernel/domain/settings.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { guardDisk } from './domain/upkeep/upkeep-rules.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'

export interface StorageLimits {
  readonly maxBytes: number
  /** Infinity if there is no limit. */
  readonly retentionDays: number
  readonly minFreeBytes: number
}

/** The `storage.*` settings as numbers. Invalid values have already been reported and replaced. */
export function storageLimits(settings: Settings): StorageLimits {
  const text = (name: string): string => String(settings.get(name).value)
  return {
    maxBytes: toBytes(text('storage.maxSize'))!,
    retentionDays: toDayLimit(text('storage.retention'))!,
    minFreeBytes: toBytes(text('storage.minFreeDisk'))!,
  }
}

/** Throws `unavailable` if the disk would have less free space than `storage.minFreeDisk` after the write. */
export async function checkDisk(ctx: Call, { archive }: Pick<UpkeepParts, 'archive'>, needed = 0): Promise<void> {
  const free = await archive.freeSpace()
  guardDisk(free === undefined ? undefined : Math.max(0, free - needed), storageLimits(ctx.settings).minFreeBytes)
}

/** The same for any other write; call it before the first byte. */
export const checkRoom = ({
  settings,
  freeSpace,
}: Pick<Call, 'settings'> & { readonly freeSpace: () => number | undefined }): void =>
  guardDisk(freeSpace(), storageLimits(settings).minFreeBytes)
