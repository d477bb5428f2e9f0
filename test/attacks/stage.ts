import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decisionFile } from '../contract/decision-text.ts'

/** The user's own text outside every clone. No output and no file written by Ken may contain it. */
export const CANARY = 'the heron counts nine lanterns'

/** A clone or an unpacked archive while it is being built. */
export interface Stage {
  /** Root of the clone: a repository with a record, some sources and one uncommitted change. */
  readonly clone: string
  /** A user folder outside the clone; every file in it contains the canary. */
  readonly outside: string
  /** The same folder as seen from a folder `depth` levels below the root of the clone. */
  up(depth: number): string
  /** Writes a file of the clone; `-> target` makes a link. */
  put(path: string, text: string | Uint8Array): void
  git(...words: readonly string[]): string
  commit(): void
  /** Appends to `.git/config`. */
  configure(text: string): void
  /** A shell command that leaves a mark if anything runs it. */
  program(name: string): string
  /** An executable file that leaves a mark if anything runs it. */
  script(path: string, name: string): void
  pipe(path: string): void
  run(program: string, ...words: readonly string[]): void
}

/** How a clone is read, besides every read operation from its root. */
export interface Look {
  /** Folder inside the clone to read from as well. */
  readonly from?: string
  readonly calls?: readonly (readonly [operation: string, input: object])[]
  /** Value of PATH while reading. */
  readonly path?: string
  /** Pattern that at least one answer must match. */
  readonly says?: RegExp
}

export interface HostileClone {
  readonly name: string
  readonly kind: string
  build(stage: Stage): Look | void
}

/** The user's machine: a home worth stealing from, an outside folder with the canary and a place for marks. */
export interface Machine {
  readonly place: string
  readonly home: string
  readonly kenHome: string
  readonly outside: string
  readonly marks: string
  readonly environment: Readonly<Record<string, string>>
  /** Builds a clone below the home. */
  build(clone: HostileClone): { readonly root: string; readonly look: Look }
  /** Removes the clone, the data that Ken stored and the marks. */
  remove(root: string): void
  close(): void
}

const ID = '01JQ0000000000000000000000'
const [PATH, TEXT] = decisionFile(1, 'Use PostgreSQL for orders', {
  files_affected: ['src/orders.ts'],
  rejected: [{ name: 'Redis', reason: 'It loses orders.' }],
})
const CONFIG = JSON.stringify({ mode: 'repo', id: ID, name: 'Orchard', schema_version: 1 })

const HONEST: Readonly<Record<string, string>> = {
  'README.md': '# Orchard\n\nSells apples.\n',
  'src/orders.ts': "export const store = 'postgres'\n",
  'docs/orders.md': '# Orders\n\nOrders are kept in PostgreSQL.\n',
  '.ken/config.json': CONFIG,
  '.ken/record/project.md': '# Orchard\n',
  [`.ken/record/${PATH}`]: TEXT,
}

const [PRIVATE_PATH, PRIVATE_TEXT] = decisionFile(7, 'Sell the orchard', { rationale: `Because ${CANARY}.` })

const OUTSIDE: Readonly<Record<string, string>> = {
  'notes.md': `# Notes\n\n${CANARY}\n`,
  'config.json': JSON.stringify({ mode: 'repo', id: ID, name: CANARY, schema_version: 1 }),
  'project.md': `# ${CANARY}\n`,
  'RULES.md': `# ${CANARY}\n`,
  'ken.yaml': `name: ${CANARY}\n`,
  'events.jsonl': `{"type":"${CANARY}"}\n`,
  'include.gitconfig': `[user]\n\tname = ${CANARY}\n`,
  [PRIVATE_PATH.split('/')[1]!]: PRIVATE_TEXT,
  [PRIVATE_PATH]: PRIVATE_TEXT,
  [`record/${PRIVATE_PATH}`]: PRIVATE_TEXT,
  'record/project.md': `# ${CANARY}\n`,
  'app.env': `GREETING=${CANARY}\n`,
}

export function openMachine(): Machine {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-attacks-')))
  const [home, outside, marks] = ['home', 'home/private', 'marks'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  const kenHome = join(home, '.ken')
  const environment = {
    PATH: process.env['PATH']!,
    HOME: home,
    KEN_HOME: kenHome,
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    LC_ALL: 'C.UTF-8',
  }
  const gitIn = (cwd: string, ...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A Stranger', '-c', 'user.email=stranger@example.org', ...words], {
      cwd,
      encoding: 'utf8',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  mkdirSync(marks, { recursive: true })
  for (const [path, text] of Object.entries({ '.bashrc': 'export PRECIOUS=1\n', '.ssh/id_ed25519': 'a private key\n' }))
    write(join(home, path), text)
  for (const [path, text] of Object.entries(OUTSIDE)) write(join(outside, path), text)
  const database = new DatabaseSync(join(outside, 'app.sqlite'))
  database.exec(`CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES ('${CANARY}')`)
  database.close()
  const template = join(place, 'template')
  for (const [path, text] of Object.entries(HONEST)) write(join(template, path), text)
  const begin = (folder: string): void => {
    gitIn(folder, 'init', '-q', '-b', 'main')
    gitIn(folder, 'add', '-A', '-f')
    gitIn(folder, 'commit', '-qm', 'as it comes')
  }
  begin(template)
  begin(outside)

  function build({ name, build: make }: HostileClone): { root: string; look: Look } {
    const clone = join(home, 'work', name.replaceAll(/[^a-z0-9]+/gi, '-'))
    cpSync(template, clone, { recursive: true })
    const configured = (text: string): void =>
      writeFileSync(join(clone, '.git/config'), `[core]\n\trepositoryformatversion = 0\n${text}`)
    const program = (mark: string): string => `touch '${marks}/${mark}'`
    const look = make({
      clone,
      outside,
      up: (depth) => `${'../'.repeat(depth + 2)}private`,
      put: (path, text) => write(join(clone, path), text),
      git: (...words) => gitIn(clone, ...words),
      commit: () => {
        gitIn(clone, 'add', '-A', '-f')
        gitIn(clone, 'commit', '-qm', 'more')
      },
      configure: configured,
      program,
      script(path, mark) {
        write(join(clone, path), `#!/bin/sh\n${program(mark)}\n`)
        chmodSync(join(clone, path), 0o755)
      },
      pipe(path) {
        mkdirSync(dirname(join(clone, path)), { recursive: true })
        rmSync(join(clone, path), { force: true, recursive: true })
        execFileSync('mkfifo', [join(clone, path)])
      },
      run: (word, ...words) => void execFileSync(word, words, { cwd: clone, stdio: 'ignore' }),
    })
    return { root: clone, look: look ?? {} }
  }

  return {
    place,
    home,
    kenHome,
    outside,
    marks,
    environment,
    build(clone) {
      const built = build(clone)
      // The uncommitted change that guard reads, unless the attack put something else there.
      try {
        writeFileSync(join(built.root, 'src/orders.ts'), "export const store = 'redis'\n", { flag: 'r+' })
      } catch {
        // The attack removed the file or its folder.
      }
      return built
    },
    remove(root) {
      rmSync(root, { recursive: true, force: true })
      rmSync(kenHome, { recursive: true, force: true })
      for (const mark of readdirSync(marks)) rmSync(join(marks, mark))
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  }
}

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true, recursive: true })
  if (typeof text === 'string' && text.startsWith('-> ')) symlinkSync(text.slice(3), path)
  else writeFileSync(path, text)
}
