import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptResults } from '../ports/kept-results.ts'

const KEPT_MS = 3_600_000

/** Query results in a folder that only the user can read. Every access removes expired ones. */
export function openKeptResults(folder: string): KeptResults {
  const fileOf = (id: string): string => join(folder, `${id}.json`)
  return {
    async keep(id, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Written under a temporary name: another turn may run the same query and read its result at this moment.
      const temporary = `${fileOf(id)}.${randomUUID()}`
      await writeFile(temporary, text, { mode: 0o600 })
      await rename(temporary, fileOf(id))
      await sweep(folder)
    },
    async find(id) {
      if (!/^q_[0-9a-f]{12}$/.test(id)) return undefined
      await sweep(folder)
      return readFile(fileOf(id), 'utf8').catch(() => undefined)
    },
  }
}

async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true })
  }
}
