import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openKen } from '../src/app/open.ts'
import { ERROR_TABLE } from '../src/kernel/domain/errors.ts'
import { toAppError } from '../src/kernel/domain/to-app-error.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import { KEN } from './ken-program.ts'

export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** A user with files worth stealing or destroying, who gets an untrusted repository through git. */
export interface Victim {
  readonly home: string
  readonly kenHome: string
  /**
   * Commits files and links (`-> target`) as the attacker and clones them into a folder of the home; returns the path
   * of the clone.
   */
  clone(name: string, files: Readonly<Record<string, string>>): string
  /** Adds commits of the attacker, fetched by the victim with `git pull`. */
  pull(name: string, files: Readonly<Record<string, string>>): void
  /** Runs the program itself. */
  ken(cwd: string, ...args: string[]): Ran
  /** Runs an operation in this process, in a tenth of the time; returns the answer, or the error line. */
  run(cwd: string, operation: string, input?: object): Promise<string>
  /** Like `run`, with the program's exit code. */
  exit(cwd: string, operation: string, input?: object): Promise<{ readonly status: number; readonly text: string }>
  hook(cwd: string, event: string, ...args: string[]): Ran
  git(cwd: string, ...args: string[]): string
  /** Every file below home, except the named folders, with its content. */
  tree(...without: string[]): Record<string, string>
  close(): void
}

export function openVictim(): Victim {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-hostile-')))
  const home = join(place, 'home')
  const kenHome = join(home, '.ken')
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    KEN_HOME: kenHome,
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    LC_ALL: 'C.UTF-8',
  }
  const git = (cwd: string, ...args: string[]) =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=A Stranger',
        '-c',
        'user.email=stranger@example.org',
        '-c',
        'protocol.file.allow=always',
        ...args,
      ],
      { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] },
    )
  for (const [path, text] of Object.entries({
    '.bashrc': 'export PRECIOUS=1\n',
    '.ssh/id_ed25519': 'a private key\n',
    '.ssh/config': 'Host example\n',
  }))
    put(join(home, path), text)
  const upstream = (name: string) => join(place, 'upstream', name)

  function commit(name: string, files: Readonly<Record<string, string>>): void {
    const root = upstream(name)
    if (!existsSync(root)) {
      mkdirSync(root, { recursive: true })
      git(root, 'init', '-q', '-b', 'main')
    }
    for (const [path, text] of Object.entries(files)) put(join(root, path), text)
    git(root, 'add', '-A', '-f')
    git(root, 'commit', '-qm', 'as it comes')
  }

  const run = (cwd: string, args: readonly string[], input = ''): Ran => {
    const ran = spawnSync(process.execPath, [KEN, ...args], { cwd, encoding: 'utf8', env, input, timeout: 60_000 })
    return { status: ran.status, out: ran.stdout, err: ran.stderr }
  }

  async function exit(cwd: string, operation: string, input = {}): Promise<{ status: number; text: string }> {
    const ken = openKen(env, () => {})
    try {
      const found = OPERATIONS.find(({ name }) => name === operation)!
      const answer = await call(ken.context({ origin: { surface: 'cli' }, cwd }), found, input)
      return { status: found.exit(answer.output as never), text: answerText(found, answer, 'pipe') }
    } catch (error) {
      const failure = toAppError(error)
      return { status: ERROR_TABLE[failure.code].exit, text: failure.line }
    } finally {
      await ken.close()
    }
  }

  return {
    home,
    kenHome,
    git,
    clone(name, files) {
      commit(name, files)
      const path = join(home, 'work', name)
      mkdirSync(dirname(path), { recursive: true })
      git(home, 'clone', '-q', upstream(name), path)
      return path
    },
    pull(name, files) {
      commit(name, files)
      git(join(home, 'work', name), 'pull', '-q')
    },
    ken: (cwd, ...args) => run(cwd, args),
    run: async (cwd, operation, input) => (await exit(cwd, operation, input)).text,
    exit,
    hook: (cwd, event, ...args) =>
      run(
        cwd,
        ['hook', event, ...args],
        JSON.stringify({ cwd, session_id: 's', prompt: 'Which database do we use for orders?' }),
      ),
    tree: (...without) =>
      filesBelow(
        home,
        without.map((name) => join(home, name)),
      ),
    close: () => rmSync(place, { recursive: true, force: true }),
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true, recursive: true })
  if (text.startsWith('-> ')) symlinkSync(text.slice(3), path)
  else writeFileSync(path, text)
}

function filesBelow(root: string, without: readonly string[]): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  )
  const kept = entries.filter(
    (path) => !without.some((folder) => path.startsWith(folder)) && statSync(path, { throwIfNoEntry: false })?.isFile(),
  )
  return Object.fromEntries(kept.sort().map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]))
}
