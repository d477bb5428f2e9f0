import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeSnapshot, serializeSnapshot } from '../src/record/domain/snapshot/snapshot.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { seededChance } from './crash/seeded-chance.ts'
import { ask, propose, update } from './merge/repository.ts'

const KINDS = {
  decisions: /^decisions\//,
  questions: /^open-questions\.md$/,
  state: /^(?:state_\w+|project|stack)\.md$/,
  context: /^context\//,
  hashes: /^\.decision-hashes\.json$/,
  journal: /^journal\//,
  pack: /^snapshots\/pack\.jsonl$/,
  plain: /^snapshots\/v\d+\.json$/,
} as const

export type Kind = keyof typeof KINDS
export const FLIPPED_KINDS = Object.keys(KINDS) as Kind[]

export interface FlipTally {
  readonly flips: number
  readonly noticed: number
  /** Positions that verify missed. */
  readonly missed: readonly string[]
  readonly byKind: Readonly<Record<Kind, number>>
}

/**
 * Changes one byte of a real record at a time, verifies, and restores it. Alternates between the kinds of files, so
 * that none is too small to be hit.
 */
export async function flipBytes(
  home: string,
  { mode, flips, seed }: { mode: 'local' | 'repo'; flips: number; seed: number },
): Promise<FlipTally> {
  const root = mode === 'repo' ? join(home, 'repo', '.ken', 'record') : join(home, 'record')
  const store = await makeRecord(home, root, mode)
  const chance = seededChance(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const missed: string[] = []
  const byKind = Object.fromEntries(FLIPPED_KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  try {
    for (let n = 0; n < flips; n++) {
      const kind = FLIPPED_KINDS[n % FLIPPED_KINDS.length]!
      const path = pick(files.filter((file) => KINDS[kind].test(file)))
      const bytes = readFileSync(join(root, path))
      const at = Math.floor(chance() * bytes.length)
      const flipped = Buffer.from(bytes)
      flipped[at] = flipped[at]! ^ (1 + Math.floor(chance() * 255))
      writeFileSync(join(root, path), flipped)
      byKind[kind]++
      if ((await store.verify()).length === 0)
        missed.push(`${mode} ${path} byte ${at}: ${bytes[at]} became ${flipped[at]}`)
      writeFileSync(join(root, path), bytes)
    }
    if ((await store.verify()).length > 0) throw new Error('the record is not as it was')
  } finally {
    await store.close()
  }
  return { flips, noticed: flips - missed.length, missed, byKind }
}

async function makeRecord(home: string, root: string, mode: 'local' | 'repo'): Promise<Store> {
  const old = (version: number) =>
    serializeSnapshot(
      makeSnapshot({
        version,
        timestamp: `2026-01-0${version}T00:00:00+00:00`,
        trigger: 'taken elsewhere',
        files: { 'project.md': `# Löwe ${version}\n` },
      }),
    )
  const given = {
    'project.md': '# Löwe\n\nA shop.\n',
    'stack.md': '# Stack\n\n- **Postgres** for orders.\n',
    'context/brief.md': 'Customers buy lions.\n',
    'snapshots/v001.json': old(1),
    'snapshots/v002.json': old(2),
  }
  for (const [path, text] of Object.entries(given)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const git = (...args: string[]) =>
    mode === 'repo' &&
    execFileSync('git', ['-c', 'user.name=Ken Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: join(home, 'repo'),
      stdio: 'ignore',
    })
  git('init', '-q')
  const store = await openFileStore({
    root,
    project: { id: '01JQ0000000000000000000000', name: 'flips', mode, location: root },
    cacheDir: join(home, 'cache'),
    stateDir: join(home, 'state'),
    clock: stepClock(),
  })
  for (let n = 1; n <= 12; n++) {
    await propose(store, `Choice number ${n}`, n % 4 === 0 ? { supersedes: String(n - 1) } : {})
    if (n % 3 === 0) await ask(store, `What about ${n}?`)
    if (n % 5 === 0) await update(store, n, 'Seen again.')
    await store.commit({ surface: 'cli' }, async (draft) => {
      draft.write('state_current.md', `# Current State\n\n- Step ${n} of 12.\n`)
      draft.snapshot('state')
    })
    if (n === 6) {
      git('add', '-A')
      git('commit', '-qm', 'half way')
    }
  }
  return store
}
