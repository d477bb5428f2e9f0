import { AppError } from '../../kernel/domain/errors.ts'
import { rememberRecent } from '../../kernel/domain/recent-values.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { Jobs } from '../../kernel/ports/jobs.ts'
import type { SqlDatabase, Subscription } from '../../kernel/ports/sql-database.ts'
import { embedShared } from '../../memory/embed-shared.ts'
import { openGroundShelf } from '../../memory/index/postgres/ground-shelf.ts'
import { heardOfGaps, openPostgresIndex, type PostgresIndex } from '../../memory/index/postgres/index.ts'
import { openVectorCache } from '../../memory/index/postgres/vector-cache.ts'
import { openSharedMemory } from '../../memory/open-shared-memory.ts'
import type { Memory } from '../../memory/ports/memory.ts'
import type { SharedDocuments } from '../../memory/ports/shared-documents.ts'
import type { Context } from '../../operations/context.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { People } from '../../team/ports/people.ts'
import type { JobHandler } from '../run-jobs.ts'

/** The memories of all projects of a server. */
export interface TeamMemory {
  /** A project's memory, as one person searches it and writes to it. */
  open(project: { readonly id: string; readonly name: string }, person: string): Memory
  /** Documents that a person shares with a project, withdraws and may see. */
  shared(project: string, person: string): SharedDocuments
  authorOf(person: string): Promise<string>
  /** Queues the creation of a project's missing vectors. */
  lacksVectors(project: string): Promise<void>
  /** Creates missing vectors. */
  readonly embed: JobHandler
  /** Drops a project's cached data as soon as the project changes. */
  listen(): Promise<Subscription>
}

export interface TeamMemoryOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder | undefined>
  readonly jobs: Jobs
  readonly people: Pick<People, 'find'>
}

/** Maximum number of entries; each is tiny: whether the server has the vectors. */
const REMEMBERED = 1_000

export function openTeamMemory({ database, clock, embedder, jobs, people }: TeamMemoryOptions): TeamMemory {
  const opened = rememberRecent<PostgresIndex>(REMEMBERED)
  const [shelf, ground] = [openVectorCache(), openGroundShelf()]
  const indexOf = (project: string): PostgresIndex => {
    const index = opened.get(project) ?? openPostgresIndex({ database, project, shelf, ground })
    opened.set(project, index)
    return index
  }
  // One pending job per project: it creates all missing vectors when it runs.
  const lacksVectors = (project: string) => jobs.put(project, [{ kind: 'embedding', key: 'embedding', payload: null }])
  const authorOf = async (person: string) => (await people.find(person))?.name ?? 'somebody'
  return {
    authorOf,
    lacksVectors,
    // Every question reads the changes. After a gap in the connection the database server may be another one, which
    // lost the last changes and reused their numbers.
    listen: () =>
      heardOfGaps(database, () => {
        shelf.drop()
        ground.drop()
      }),
    shared: (project, person) => indexOf(project).shared(person),
    open(project, person) {
      const index = indexOf(project.id)
      return openSharedMemory({
        clock,
        project,
        index,
        code: index.code,
        shared: index.shared(person),
        author: () => authorOf(person),
        embedder,
        lacksVectors: () => lacksVectors(project.id),
      })
    },
    async embed({ project }, signal) {
      const model = await embedder()
      const index = indexOf(project)
      if (model !== undefined) await embedShared({ index, shared: index.shared() }, model, signal)
    },
  }
}

/** Stubs for the machine-dependent parts of memory operations, on a server without folders. */
export const MEMORY_WITHOUT_FOLDERS: Pick<Context, 'collections' | 'workspaces' | 'settings'> = {
  collections: {
    list: () => ({ collections: [], faults: [] }),
    add: noFolders,
    remove: noFolders,
    rename: noFolders,
  },
  workspaces: {
    rootOf: (folder) => folder,
    repositoryOf: () => undefined,
    repositoryOfGone: () => undefined,
    exists: () => false,
  },
  settings: {
    list: noFolders,
    get(name) {
      if (name !== 'codebase.roots') return noFolders()
      return {
        name,
        value: [],
        source: 'default',
        fallback: [],
        kind: 'list',
        help: '',
        environment: undefined,
        fromPage: 'confirm',
      }
    },
    check: noFolders,
    set: noFolders,
    unset: noFolders,
    unknown: noFolders,
  },
}

function noFolders(): never {
  throw new AppError('forbidden', 'Not available on a team server.', { hint: 'Run this on your own machine.' })
}
