import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { KEN } from './ken-program.ts'
import { atTerminal, type Screen, type Sitting } from './pseudo-terminal.ts'

export const LONG = 'A title that is so long that no terminal of sixty columns could ever show the whole of it'

export interface TerminalDesk {
  readonly place: string
  /** Runs `ken …` in a terminal, with typed answers. */
  sit(words: readonly string[], more?: Partial<Sitting>): Promise<Screen>
  /** Runs `ken …` with its output piped to a program. */
  piped(words: readonly string[], env?: Readonly<Record<string, string>>): SpawnSyncReturns<string>
  decisions(): string[]
  /** Reads a file of the record. */
  read(...path: string[]): string
}

/** A repository with a record of three decisions, one of them with terminal escape sequences. */
export function useTerminalDesk(): TerminalDesk {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-terminal-')))
  const env = { HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0', TMPDIR: place }
  const projects = join(env.KEN_HOME, 'projects')
  const file = (...path: string[]): string => join(projects, readdirSync(projects)[0]!, ...path)

  beforeAll(async () => {
    execFileSync('git', ['init', '-q', place])
    const ken = openKen(env, () => {})
    const run = (name: string, input: object) =>
      call(
        ken.context({ origin: { surface: 'cli' }, cwd: place }),
        OPERATIONS.find((op) => op.name === name)!,
        input,
      )
    await run('init', { name: 'shop' })
    await run('propose_decision', {
      title: 'Cache hot reads in Redis',
      rationale: 'Lower p99 on product pages than database round trips.',
      rejected: [{ alternative: 'Memcached', reason: 'No persistence.' }],
    })
    await run('propose_decision', { title: LONG, rationale: 'Nothing must drift, and the ledger must balance.' })
    await ken.close()
    const edited = file(
      'decisions',
      readdirSync(file('decisions')).find((name) => name.startsWith('003'))!,
    )
    writeFileSync(edited, readFileSync(edited, 'utf8').replace('drift', 'drift \u001b[31mred\u000eb marked\u000f'))
  })
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  return {
    place,
    sit: (words, more = {}) => atTerminal(words, { cwd: place, ...more, env: { ...env, ...more.env } }),
    piped: (words, more = {}) =>
      spawnSync(process.execPath, [KEN, ...words], {
        cwd: place,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...env, ...more },
      }),
    decisions: () => readdirSync(file('decisions')),
    read: (...path) => readFileSync(file(...path), 'utf8'),
  }
}
