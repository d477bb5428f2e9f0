import type { SoakReport } from './soak.ts'

// Tolerated growth: the number of documents grows during a soak, and garbage collection runs at any time.
const MORE_MEMORY = 1.3
const SPARE_MEGABYTES = 48
const MORE_FILES = 8

/** Processes that use clearly more memory or files at the end than early on. */
export function leaks(use: SoakReport['use']): string[] {
  return Object.entries(use).flatMap(([name, { early, late }]) => [
    ...(late.megabytes > early.megabytes * MORE_MEMORY + SPARE_MEGABYTES
      ? [`${name}: ${early.megabytes} MB became ${late.megabytes} MB`]
      : []),
    ...(late.files > early.files + MORE_FILES ? [`${name}: ${early.files} open files became ${late.files}`] : []),
  ])
}
