import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import type { ColumnValues } from '../ports/column-values.ts'

const kept = z.array(z.object({ name: z.string(), values: z.array(z.string()), isHeldBack: z.boolean().optional() }))

/** Column values in a file for each table, in a folder that only the user can read. */
export function openColumnValues(folder: string): ColumnValues {
  const fileOf = (table: string): string => join(folder, `${sha256(table).slice(0, 24)}.json`)
  return {
    async keep(table, columns) {
      if (columns.length === 0) return rm(fileOf(table), { force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      writeAtomically(fileOf(table), JSON.stringify(columns), 0o600)
    },
    async of(table) {
      const text = await readFile(fileOf(table), 'utf8').catch(() => '[]')
      // Derived: a damaged file counts as missing until the next sync of the table.
      try {
        return kept.parse(JSON.parse(text))
      } catch {
        return []
      }
    },
  }
}
