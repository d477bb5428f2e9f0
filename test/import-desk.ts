import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RegisteredProject } from '../src/kernel/ports/projects.ts'
import type { Settings } from '../src/kernel/ports/settings.ts'
import { openProjectFiles } from '../src/kernel/projects/index.ts'
import { diskFiles } from '../src/kernel/system/files.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import type { Store } from '../src/record/ports/store.ts'
import { startRecord } from '../src/record/start-record.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { stepClock } from './contract/step-clock.ts'

/** A setting that is switched off. */
const OFF = {
  value: false,
  source: 'config',
  kind: 'switch',
  fallback: false,
  help: '',
  environment: undefined,
  fromPage: 'free',
} as const

export interface ImportDesk {
  readonly home: string
  readonly repo: string
  readonly context: Context
  run(operation: unknown, input: Record<string, unknown>): Promise<any>
  /** Writes files below home. */
  write(files: Record<string, string>): void
  read(path: string): string
  /** The files below a folder in home, with their texts. */
  tree(path: string): Record<string, string>
  /** Creates a project in the repository, with the first files of a record. */
  start(): Promise<Store>
  close(): Promise<void>
}

export function openImportDesk(): ImportDesk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-import-')))
  const repo = join(home, 'repo')
  mkdirSync(repo)
  const clock = stepClock()
  const projects = openProjectFiles({ home: join(home, '.ken'), nauroHome: join(home, '.nauro'), clock })
  const stores = new Map<string, Promise<Store>>()
  const context = {
    clock,
    cwd: repo,
    projects,
    files: diskFiles,
    origin: { surface: 'cli' },
    progress() {},
    repository: async () => undefined,
    async record(project?: string | RegisteredProject) {
      const found =
        typeof project === 'object'
          ? project
          : await projects.find({ directory: repo, ...(project === undefined ? {} : { project }) })
      if (found === undefined) throw new Error('no project')
      if (!stores.has(found.location))
        stores.set(
          found.location,
          openFileStore({
            root: found.location,
            project: found,
            cacheDir: join(home, 'cache'),
            stateDir: join(home, 'state'),
            clock,
          }),
        )
      return stores.get(found.location)!
    },
    checkRoom() {},
    // Memories are off here.
    settings: { unknown: () => [], get: (name) => ({ ...OFF, name }) } as Partial<Settings> as Settings,
  } as Partial<Context> as Context
  return {
    home,
    repo,
    context,
    run: async (operation, input) => (await call(context, operation as Operation, input)).output,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), text)
      }
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
    tree: (path) =>
      Object.fromEntries(
        readdirSync(join(home, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(join(home, path).length + 1))
          .sort()
          .map((name) => [name, readFileSync(join(home, path, name), 'utf8')]),
      ),
    async start() {
      const project = await projects.create({ name: 'shop', mode: 'local', repository: repo })
      const store = await context.record(project.id)
      await startRecord(context, store)
      return store
    },
    async close() {
      for (const store of stores.values()) await (await store).close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
