import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Store } from '../src/record/ports/store.ts'

export interface TruthDesk {
  readonly home: string
  readonly repo: string
  /** The record's folder. */
  readonly root: string
  context(): Context
  store(): Promise<Store>
  run(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>
  text(name: string, input?: Record<string, unknown>): Promise<string>
  propose(title: string, more?: Record<string, unknown>): Promise<string>
  read(path: string): string
  put(path: string, text: string): void
  git(...args: string[]): string
  /** Everything below Ken's home and the repository, as latin1, by path. */
  bytes(): Map<string, string>
  close(): Promise<void>
}

/** A repository with a record, and a complete Ken around it. */
export async function openTruthDesk(mode: 'local' | 'repo'): Promise<TruthDesk> {
  const place = mkdtempSync(join(tmpdir(), 'ken-truth-'))
  const [home, repo] = [join(place, 'home'), join(place, 'repo')]
  mkdirSync(repo)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ken Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: repo,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '-q', '-b', 'main')
  const ken: Ken = openKen(
    { HOME: place, PATH: process.env['PATH'] ?? '', KEN_HOME: home, KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' },
    () => {},
  )
  const context = () => ken.context({ origin: { surface: 'cli' }, cwd: repo })
  const operation = (name: string) => OPERATIONS.find((known) => known.name === name)!
  const run = async (name: string, input: Record<string, unknown> = {}) =>
    (await call(context(), operation(name), input)).output
  await run('init', { name: 'truth', ...(mode === 'repo' && { in_repo: true }) })
  const root = (await context().record()).project.location
  return {
    home,
    repo,
    root,
    context,
    run,
    git,
    store: () => context().record(),
    async text(name, input = {}) {
      const { input: parsed, output } = await call(context(), operation(name), input)
      return operation(name).render(output, parsed)
    },
    async propose(title, more = {}) {
      const said = await run('propose_decision', {
        title,
        rationale: `${title}, because that was measured and found good.`,
        rejected: [{ alternative: `Not ${title}`, reason: 'It was worse in every way.' }],
        ...more,
      })
      if (said['status'] !== 'confirmed') throw new Error(String(said['assessment']))
      return String(said['decision_id'])
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    put(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    bytes() {
      const found = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(
        (path) => !/(?:^|[/\\])\.git[/\\]/.test(path) && statSync(join(place, path)).isFile(),
      )
      return new Map(
        found.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(place, path)).toString('latin1')]),
      )
    },
    async close() {
      await ken.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}
