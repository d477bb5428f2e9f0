import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { openKen } from '../../src/app/open.ts'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { sha256 } from '../../src/kernel/domain/sha256.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'

export type SyncOutput = z.output<typeof syncSources.output>

/** A context project in a separate folder, called as on every surface. Its user trusts the configured entries. */
export interface ContextDesk {
  readonly root: string
  path(name: string): string
  /** File with the traces of an interrupted build, as a name for the other calls. */
  readonly claims: string
  write(name: string, text: string): void
  read(name: string): string
  exists(name: string): boolean
  /** Every file below the root except Ken's own, with its text and modification time. */
  files(): Readonly<Record<string, string>>
  times(): Readonly<Record<string, number>>
  configure(config: object): void
  sqlite(name: string, ...statements: string[]): void
  sync(input?: object): Promise<SyncOutput>
  run(operation: string, input: object, more?: Partial<Context>): Promise<Record<string, any>>
  close(): Promise<void>
}

export function openContextDesk(environment: Record<string, string> = {}, { trusted = true } = {}): ContextDesk {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-context-')))
  const root = join(place, 'project')
  mkdirSync(root)
  const ken = openKen(
    { HOME: place, PATH: process.env['PATH'] ?? '', KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', ...environment },
    () => {},
  )
  const context = () => ken.context({ origin: { surface: 'cli' }, cwd: root })
  const all = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !relative(root, path).startsWith('.ken'))
  const desk: ContextDesk = {
    root,
    path: (name) => join(root, name),
    claims: `../home/contexts/${sha256(root).slice(0, 16)}/claims.jsonl`,
    write(name, text) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    },
    read: (name) => readFileSync(join(root, name), 'utf8'),
    exists: (name) => statSync(join(root, name), { throwIfNoEntry: false }) !== undefined,
    files: () =>
      Object.fromEntries(
        all()
          .filter((path) => !/\.(?:db|duckdb)$/.test(path))
          .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
      ),
    times: () => Object.fromEntries(all().map((path) => [relative(root, path), statSync(path).mtimeMs])),
    configure: (config) => desk.write('ken.yaml', stringify(config)),
    sqlite(name, ...statements) {
      const database = new DatabaseSync(join(root, name))
      for (const statement of statements) database.exec(statement)
      database.close()
    },
    sync: async (input = {}) => (await desk.run('sync_sources', input)) as SyncOutput,
    async run(name, input, more = {}) {
      const ask = async (operation: string, given: object) =>
        (
          await call(
            { ...context(), ...more },
            OPERATIONS.find((op) => op.name === operation)!,
            given,
          )
        ).output
      // An unreadable ken.yaml is reported by the operation itself.
      if (trusted) await ask('trust', { yes: true }).catch(() => undefined)
      return ask(name, input)
    },
    async close() {
      await ken.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
  return desk
}

export const tableFolder = (database: string, table: string): string =>
  `databases/type=sqlite/database=${database}/schema=main/table=${table}`
