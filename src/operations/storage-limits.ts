import { toBytes, toDays } from '../core/settings.ts'
import type { Settings } from '../ports/settings.ts'

export interface StorageLimits {
  readonly maxBytes: number
  readonly retentionDays: number
  readonly minFreeBytes: number
}

/** The settings `storage.*` as numbers. Values that cannot be read have been warned about and replaced by then. */
export function storageLimits(settings: Settings): StorageLimits {
  const text = (name: string): string => String(settings.get(name).value)
  return {
    maxBytes: toBytes(text('storage.maxSize'))!,
    retentionDays: toDays(text('storage.retention'))!,
    minFreeBytes: toBytes(text('storage.minFreeDisk'))!,
  }
}
