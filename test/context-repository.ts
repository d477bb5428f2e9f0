import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A real repository on this machine, for contexts from git. */
export interface ContextRepository {
  readonly folder: string
  /** Clone URL. */
  readonly address: string
  git(...words: readonly string[]): string
  /** Writes files, or deletes files without a text, and commits everything; returns the commit. */
  commit(files?: Readonly<Record<string, string | Uint8Array | undefined>>): string
  /** Commits a tree with entries that no working folder can hold, as `mktree` reads them. */
  commitTree(lines: readonly string[]): string
  /** Receives objects as another repository sends them, and points the branch to one of their commits. */
  takePack(pack: Uint8Array, commit: string): void
  remove(): void
}

export function makeContextRepository(): ContextRepository {
  const folder = mkdtempSync(join(tmpdir(), 'ken-context-repository-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  const run = (words: readonly string[], input: string | Uint8Array = ''): string =>
    execFileSync('git', words, { cwd: folder, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim()
  const git = (...words: readonly string[]): string => run(words)
  git('init', '-q', '-b', 'main')
  return {
    folder,
    address: pathToFileURL(folder).href,
    git,
    commit(files = {}) {
      for (const [path, held] of Object.entries(files)) {
        const place = join(folder, path)
        mkdirSync(dirname(place), { recursive: true })
        if (held !== undefined) writeFileSync(place, held)
        else if (existsSync(place)) rmSync(place)
      }
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'A change')
      return git('rev-parse', 'HEAD')
    },
    commitTree(lines) {
      const tree = run(['mktree', '--missing'], lines.map((line) => `${line}\n`).join(''))
      const commit = git('commit-tree', tree, '-m', 'A tree')
      git('update-ref', 'refs/heads/main', commit)
      return commit
    },
    takePack(pack, commit) {
      run(['index-pack', '--stdin'], pack)
      git('update-ref', 'refs/heads/main', commit)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
