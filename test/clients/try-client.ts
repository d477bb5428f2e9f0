import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { CLIENTS } from '../../src/core/client/clients.ts'
import type { Asked } from './model-protocols.ts'
import type { ClientPlace, RealClient } from './real-clients.ts'
import { openRunningServer } from './running-server.ts'
import { openScriptedModel } from './scripted-model.ts'

export type Transport = 'stdio' | 'http'

/** What was seen of one client over one transport. */
export interface Trial {
  /** The tool was called and the model got its answer. */
  readonly tools: boolean
  /** How often the last request to the model held each of them. */
  readonly sessionHook: number
  readonly promptHook: number
  readonly block: number
  readonly serverInstructions: number
  /** Files that were not as before after `--remove`: right after the set-up, and after a session. */
  readonly leftAtOnce: readonly string[]
  readonly leftAfterUse: readonly string[]
  /** What the client printed last, for a trial that failed. */
  readonly printed: string
}

export interface Programs {
  /** Folder with `ken` in it. */
  readonly ken: string
  /** The client itself. */
  readonly client: string
}

const PROMPT = 'Please move the job queue to RabbitMQ.'
const SCRIPT = { tool: 'check_decision', input: { proposed_approach: 'Move the job queue to RabbitMQ' } }
// A client that starts for the first time on a busy machine has taken a minute and a half.
const PATIENCE = 300_000

// Gemini CLI escapes what a hook adds, as a page of HTML would.
const SEEN = {
  sessionHook: /(?:<|&lt;)ken-context-[0-9a-z]+ [^>]*event=(?:"|&quot;)session-start/g,
  promptHook: /(?:<|&lt;)ken-context-[0-9a-z]+ [^>]*event=(?:"|&quot;)prompt/g,
  block: /# Project memory: shop/g,
  serverInstructions: /Ken is this project's memory: decisions/g,
}

/** Sets a client up in a home of its own, lets it run one session with the scripted model, and takes it back. */
export async function tryClient(client: RealClient, transport: Transport, programs: Programs): Promise<Trial> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `ken-${client.name}-`)))
  const model = await openScriptedModel(SCRIPT)
  const place = { home: join(root, 'home'), project: join(root, 'home', 'shop'), modelUrl: model.url }
  const env = environment(client, place, programs)
  const ken = (...words: string[]) =>
    execFileSync(join(programs.ken, 'ken'), words, { cwd: place.project, env, encoding: 'utf8', stdio: 'pipe' })
  makePlace(client, place)
  ken('init', 'shop', '--demo')
  // The address in a user's own settings names no project.
  const words = CLIENTS[client.name].scope === 'user' ? ['--project', '.'] : []
  const start = { program: join(programs.ken, 'ken'), words, cwd: place.project, env }
  const server = transport === 'http' ? await openRunningServer(start) : undefined
  Object.assign(env, server?.env)
  const setUp = () => {
    ken('setup', client.name, '--with-hooks', '--with-skills', ...(server ? ['--http'] : []))
    ken('agents-md')
  }
  const takeBack = () => {
    ken('agents-md', '--remove')
    ken('setup', client.name, '--remove')
  }
  try {
    const before = filesIn(root)
    setUp()
    const written = filesIn(root)
    takeBack()
    const leftAtOnce = differing(before, filesIn(root), [...written.keys(), ...before.keys()])
    setUp()
    const printed = await runClient(client, place, { program: programs.client, env })
    const used = filesIn(root)
    takeBack()
    // What the client itself wrote since is its own.
    const ours = [...written.keys()].filter((path) => before.get(path) !== written.get(path))
    const untouched = ours.filter((path) => used.get(path) === written.get(path))
    const last = model.asked.findLast(({ answers }) => answers.some(({ text }) => text.includes('RabbitMQ')))
    return {
      tools: last !== undefined,
      ...seenIn(last ?? model.asked.at(-1)),
      leftAtOnce,
      leftAfterUse: differing(before, filesIn(root), untouched),
      printed: [printed, ...(last ? [] : said(model.asked))].map((text) => text.trim().slice(-400)).join('\n'),
    }
  } finally {
    await server?.close()
    await model.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What was offered and what came back, where the answer that was looked for did not. */
const said = (asked: readonly Asked[]): string[] => [
  `Offered: ${[...new Set(asked.flatMap(({ tools }) => tools.map(({ name }) => name)))].join(' ')}`,
  `Answered: ${asked.flatMap(({ answers }) => answers.map(({ text }) => text)).join('\n')}`,
]

function seenIn(asked: Asked | undefined): Record<keyof typeof SEEN, number> {
  const text = [...(asked?.texts ?? []), ...(asked?.toolTexts ?? [])].join('\n')
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  return {
    sessionHook: count(SEEN.sessionHook),
    promptHook: count(SEEN.promptHook),
    block: count(SEEN.block),
    serverInstructions: count(SEEN.serverInstructions),
  }
}

function makePlace(client: RealClient, place: ClientPlace): void {
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

function environment(client: RealClient, place: ClientPlace, programs: Programs): Record<string, string> {
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

function runClient(
  client: RealClient,
  { project }: ClientPlace,
  { program, env }: { program: string; env: Record<string, string> },
): Promise<string> {
  const words = client.promptBy === 'argument' ? [...client.arguments, PROMPT] : client.arguments
  return new Promise((resolve) => {
    let printed = ''
    const child = spawn(program, words, { cwd: project, env, timeout: PATIENCE, stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
    child.on('error', (error) => resolve(`${printed}\n${error.message}`))
    child.on('close', () => resolve(printed))
    child.stdin.on('error', () => {})
    child.stdin.end(client.promptBy === 'input' ? PROMPT : '')
  })
}

/** Every file below a folder, but what is git's or Ken's own. */
function filesIn(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^home\/(?:\.ken|shop\/\.git)\//.test(relative(root, path)))
    .map((path) => [relative(root, path), readFileSync(path, 'latin1')] as const)
  return new Map(texts)
}

const differing = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  paths: Iterable<string>,
): string[] => [...new Set(paths)].filter((path) => before.get(path) !== after.get(path))
