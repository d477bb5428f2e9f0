import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { callOneTool } from './call-one-tool.ts'
import type { ClientPlace, RealClient } from './real-clients.ts'

/** A client in a separate home, next to a repository with a record, and its scripted model. */
export interface OpenedClient extends ClientPlace {
  /** Parent folder of everything. */
  readonly root: string
  readonly model: ScriptedModel
  /** Environment of every program here; may be extended. */
  readonly env: Record<string, string>
  /** Runs Ken in the repository. */
  ken(...words: string[]): string
  /** Runs the client in the repository, without a person; returns its output. */
  run(words: readonly string[], input?: string): Promise<string>
  /** Runs one session with one prompt, without a person. */
  say(prompt: string): Promise<string>
  close(): Promise<void>
}

export interface Programs {
  /** Folder that contains `ken`. */
  readonly ken: string
  /** Path of the client program. */
  readonly client: string
}

const SCRIPT = { tool: 'check_decision', input: { proposed_approach: 'Move the job queue to RabbitMQ' } }
// The first start of a client on a busy machine has taken a minute and a half.
const PATIENCE = 300_000

export async function openClient(client: RealClient, programs: Programs): Promise<OpenedClient> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `ken-${client.name}-`)))
  const model = await openScriptedModel(callOneTool(SCRIPT))
  const place = { home: join(root, 'home'), project: join(root, 'home', 'shop'), modelUrl: model.url }
  const env = environment(client, place, programs)
  makePlace(client, place)
  const ken = (...words: string[]) =>
    execFileSync(join(programs.ken, 'ken'), words, { cwd: place.project, env, encoding: 'utf8', stdio: 'pipe' })
  ken('init', 'shop', '--demo')
  const run: OpenedClient['run'] = (words, input = '') =>
    runProgram(programs.client, words, { cwd: place.project, env, input })
  return {
    ...place,
    root,
    model,
    env,
    ken,
    run,
    say: (prompt) =>
      client.promptBy === 'argument' ? run([...client.arguments, prompt]) : run(client.arguments, prompt),
    async close() {
      await model.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Writes its settings and creates a repository. */
export function makePlace(client: RealClient, place: ClientPlace): void {
  mkdirSync(place.project, { recursive: true })
  for (const [path, text] of Object.entries(client.settings(place))) {
    mkdirSync(dirname(join(place.home, path)), { recursive: true })
    writeFileSync(join(place.home, path), text)
  }
  const git = (...words: string[]) => execFileSync('git', ['-C', place.project, ...words], { stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(place.project, 'README.md'), '# shop\n')
  git('add', '.')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'start')
}

/** The client's environment, with nothing from the user who runs the tests. */
export function environment(client: RealClient, place: ClientPlace, programs: Programs): Record<string, string> {
  const path = [programs.ken, dirname(process.execPath), dirname(programs.client), '/usr/local/bin', '/usr/bin', '/bin']
  return {
    PATH: path.join(delimiter),
    HOME: place.home,
    KEN_TELEMETRY: '0',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...client.env(place),
  }
}

export function runProgram(
  program: string,
  words: readonly string[],
  { input, ...options }: { cwd: string; env: Record<string, string>; input: string },
): Promise<string> {
  return new Promise((resolve) => {
    let printed = ''
    const child = spawn(program, words, { ...options, timeout: PATIENCE, stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
    child.on('error', (error) => resolve(`${printed}\n${error.message}`))
    child.on('close', () => resolve(printed))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
