import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DriftKind } from '../../src/record/domain/drift/drift.ts'
import type { Given } from '../../test/sample-record.ts'

/** One commit: files after it, null for a deleted one, and renames, which are applied first. */
export interface Made {
  readonly day: string
  readonly files?: Readonly<Record<string, string | null>>
  readonly renames?: readonly (readonly [from: string, to: string])[]
}

/** A decision with the expected report: a kind of drift, or none. */
export type Labelled = Given & { readonly date: string; readonly wanted: DriftKind | 'quiet'; readonly why: string }

export interface DriftRepository {
  readonly name: string
  readonly commits: readonly Made[]
  readonly decisions: readonly Labelled[]
}

/** Builds the repository in a temporary folder and passes it on; the folder is removed afterwards. */
export async function withRepository<T>(commits: readonly Made[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-drift-')))
  try {
    git(folder, '2026-01-01', 'init', '--quiet', '--initial-branch=main')
    for (const { day, files = {}, renames = [] } of commits) {
      for (const [from, to] of renames) {
        mkdirSync(dirname(join(folder, to)), { recursive: true })
        git(folder, day, 'mv', from, to)
      }
      for (const [path, text] of Object.entries(files))
        if (text === null) rmSync(join(folder, path))
        else write(folder, path, text)
      git(folder, day, 'add', '--all')
      const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
      git(folder, day, ...who, 'commit', '--quiet', '--allow-empty', '-m', `Work of ${day}`)
    }
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function git(folder: string, day: string, ...args: string[]): void {
  const at = `${day}T12:00:00Z`
  execFileSync('git', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
  })
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Unique statements: `seed` distinguishes files. */
export const statements = (seed: string, count: number, from = 0): string =>
  Array.from(
    { length: count },
    (_, i) => `const ${seed}${from + i} = compute("${seed}", ${(from + i) * 7 + 3})\n`,
  ).join('')

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
