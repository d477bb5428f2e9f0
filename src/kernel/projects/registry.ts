import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../domain/errors.ts'
import { writeAtomically } from '../system/atomic-file.ts'

export interface RegistryEntry {
  name: string
  mode: 'local' | 'repo' | 'cloud'
  repo_paths: string[]
  server_url?: string
  /** Name of the writer here, as known to the server. */
  person?: string
  store_path?: string
  /** True until the project's record is started: until then a missing record is not lost. */
  unstarted?: boolean
  /** Git's common directories of the working trees in `repo_paths`: a tree that was bound may be removed later. */
  git_dirs?: string[]
}

interface Registry {
  projects: Record<string, RegistryEntry>
  schema_version: 2
}

const EMPTY: Registry = { projects: {}, schema_version: 2 }
const WAIT = 10_000

/** `registry.json`: read without a lock, changed under one that the operating system releases with its process. */
export function openRegistry(home: string) {
  const path = join(home, 'registry.json')
  return {
    read: () => read(path),
    change(edit: (projects: Record<string, RegistryEntry>) => void): void {
      mkdirSync(home, { recursive: true, mode: 0o700 })
      const lock = new DatabaseSync(join(home, '.registry-lock.db'), { timeout: WAIT })
      try {
        lock.exec('BEGIN EXCLUSIVE')
        const registry = read(path)
        edit(registry.projects)
        writeAtomically(path, `${JSON.stringify(registry, null, 2)}\n`)
        lock.exec('ROLLBACK')
      } finally {
        lock.close()
      }
    },
  }
}

function read(path: string): Registry {
  if (!existsSync(path)) return structuredClone(EMPTY)
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'))
    if (value?.schema_version === 2 && typeof value.projects === 'object' && value.projects !== null) return value
  } catch {
    // Invalid JSON fails below, like a registry of another shape.
  }
  throw new AppError('damaged', `${path} is not a registry that this version of Ken can read.`, {
    hint: 'Move it away; `ken reconnect` in each repository binds it again.',
  })
}
