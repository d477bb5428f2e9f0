import { z } from 'zod'

export const dryRunField = { dry_run: z.boolean().default(false).describe('Only say what would be imported.') }

export const skippedFile = z.object({ path: z.string(), reason: z.string() })

/** A titled list for people; nothing when there is nothing to list. */
export const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
