import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Settings } from '../src/kernel/ports/settings.ts'
import { openProjectFiles } from '../src/kernel/projects/index.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { diskFiles } from '../src/kernel/system/files.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { isKept } from '../src/record/repository/is-kept.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openClientFiles } from '../src/setup/client-files/index.ts'

export const LAUNCHER = ['/opt/ken/bin/ken']

/** A user's home, a git repository in it, and a context for both. */
export interface Desk {
  readonly home: string
  readonly repo: string
  readonly kenHome: string
  readonly context: Context
  run(operation: unknown, input: Record<string, unknown>): Promise<Record<string, any>>
  write(path: string, text: string | Uint8Array, mode?: number): void
  read(path: string): string
  git(...args: string[]): string
  /** Every path in the home with its content, except Ken's and git's own files. */
  tree(): Record<string, string>
  close(): void
}

export function openDesk(options: { launcher?: readonly string[]; cwd?: string } = {}): Desk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-desk-')))
  const repo = join(home, 'work', 'orchard')
  const kenHome = join(home, '.ken')
  mkdirSync(repo, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    })
  git('init', '-q', '-b', 'main')
  const cwd = options.cwd === undefined ? repo : join(home, options.cwd)
  const context = contextFor({ home, kenHome, cwd, launcher: options.launcher ?? LAUNCHER })
  return {
    home,
    repo,
    kenHome,
    context,
    git,
    run: async (operation, input) => (await call(context, operation as Operation, input)).output,
    write(path, text, mode) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text)
      if (mode !== undefined) chmodSync(join(home, path), mode)
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
    tree: () => treeOf(home),
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

function contextFor({
  home,
  kenHome,
  cwd,
  launcher,
}: {
  home: string
  kenHome: string
  cwd: string
  launcher: readonly string[]
}): Context {
  const projects = openProjectFiles({ home: kenHome, nauroHome: join(home, '.nauro'), clock: systemClock })
  const stores = new Map<string, Promise<Store>>()
  return {
    clock: systemClock,
    origin: { surface: 'cli' },
    cwd,
    projects,
    launcher,
    clients: openClientFiles({
      home,
      platform: 'linux',
      env: {},
      backups: join(kenHome, 'backups'),
      now: () => systemClock.now(),
      isKept,
      isTracked: async (path) => (await openRepository(dirname(path)))?.isTracked(path) ?? false,
    }),
    files: diskFiles,
    repository: () => openRepository(cwd),
    async record(project) {
      const found =
        typeof project === 'object'
          ? project
          : await projects.find({ directory: cwd, ...(project === undefined ? {} : { project }) })
      if (found === undefined) throw new Error('no project')
      if (!stores.has(found.id)) stores.set(found.id, openMemoryStore({ project: found, clock: systemClock }))
      return stores.get(found.id)!
    },
    progress() {},
    checkRoom() {},
    settings: { unknown: () => [] } as Partial<Settings> as Settings,
  } as Partial<Context> as Context
}

function treeOf(home: string): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  )
  const mine = entries.filter((path) => !/(?:^|\/)\.(?:ken|git)(?:\/|$)/.test(relative(home, path)))
  return Object.fromEntries(mine.sort().map((path) => [relative(home, path), contentOf(path)]))
}

const contentOf = (path: string): string =>
  lstatSync(path).isDirectory() ? '/' : lstatSync(path).isSymbolicLink() ? '→' : readFileSync(path, 'latin1')
