import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEN } from '../ken-program.ts'

export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A person's machine: a separate home and one repository, in which the real `ken` runs. */
export interface Machine {
  readonly repository: string
  readonly environment: NodeJS.ProcessEnv
  ken(...words: string[]): Promise<Said>
  /** Like `ken`, without waiting for its exit. */
  start(...words: string[]): { readonly process: ChildProcess; readonly said: Promise<Said> }
  json(...words: string[]): Promise<any>
  /** Bytes of every record file and the journal, without data local to each machine. */
  record(): Record<string, string>
}

export function makeMachine(folder: string, token: string, more: Record<string, string> = {}): Machine {
  const [home, repository] = [join(folder, 'home'), join(folder, 'shop')]
  mkdirSync(home, { recursive: true })
  mkdirSync(repository)
  execFileSync('git', ['init', '-q', repository])
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    KEN_HOME: join(home, '.ken'),
    KEN_TOKEN: token,
    KEN_EMBEDDINGS: '0',
    KEN_UPKEEP: '0',
    KEN_TEAM_SYNC: '0',
    ...more,
  }
  const start: Machine['start'] = (...words) => {
    const child = spawn(process.execPath, [KEN, ...words], { cwd: repository, env: environment })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.stdin.end()
    const said = new Promise<Said>((done) => child.on('close', (code) => done({ code, out, err })))
    return { process: child, said }
  }
  const ken: Machine['ken'] = (...words) => start(...words).said
  return {
    repository,
    environment,
    start,
    ken,
    async json(...words) {
      const said = await ken(...words, '--json')
      if (said.code !== 0) throw new Error(`ken ${words.join(' ')}: ${said.code} ${said.out}${said.err}`)
      return JSON.parse(said.out)
    },
    record() {
      const projects = join(home, '.ken', 'projects')
      const root = join(projects, readdirSync(projects)[0]!)
      const paths = ['decisions', 'context', 'journal', '.']
        .filter((one) => existsSync(join(root, one)))
        .flatMap((one) => readdirSync(join(root, one)).map((name) => (one === '.' ? name : `${one}/${name}`)))
        .filter((path) => /\.(?:md|jsonl|json)$/.test(path))
      return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
    },
  }
}
