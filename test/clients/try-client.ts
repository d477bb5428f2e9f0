import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CLIENTS } from '../../src/setup/domain/clients.ts'
import { SKILLS } from '../../src/setup/domain/skills.ts'
import type { ModelRequest } from '../scripted-model.ts'
import { openClient, type Programs } from './client-place.ts'
import type { RealClient } from './real-clients.ts'
import { openRunningServer } from './running-server.ts'

export type Transport = 'stdio' | 'http'

/** Result of one client over one transport. */
export interface Trial {
  /** The tool was called and the model got its result. */
  readonly tools: boolean
  /** Number of occurrences of each in the last model request. */
  readonly sessionHook: number
  readonly promptHook: number
  readonly block: number
  readonly serverInstructions: number
  /** Ken's skills that the client listed for its model. */
  readonly skills: readonly string[]
  /** Files that `--remove` did not restore: right after the setup, and after a session. */
  readonly leftAtOnce: readonly string[]
  readonly leftAfterUse: readonly string[]
  /** The client's last output, for a failed trial. */
  readonly printed: string
}

const PROMPT = 'Please move the job queue to RabbitMQ.'

// Gemini CLI escapes hook output like HTML.
const SEEN = {
  sessionHook: /(?:<|&lt;)ken-context-[0-9a-z]+ [^>]*event=(?:"|&quot;)session-start/g,
  promptHook: /(?:<|&lt;)ken-context-[0-9a-z]+ [^>]*event=(?:"|&quot;)prompt/g,
  block: /# Project memory: shop/g,
  serverInstructions: /Ken is this project's memory: decisions/g,
}

/** Sets up a client in a separate home, runs one session with the scripted model, and removes the setup. */
export async function tryClient(client: RealClient, transport: Transport, programs: Programs): Promise<Trial> {
  const opened = await openClient(client, programs)
  const { root, model, ken, env } = opened
  // The address in the user settings does not name a project.
  const words = CLIENTS[client.name].scope === 'user' ? ['--project', '.'] : []
  const start = { program: join(programs.ken, 'ken'), words, cwd: opened.project, env }
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
    const printed = await opened.say(PROMPT)
    const used = filesIn(root)
    takeBack()
    const after = filesIn(root)
    const ours = [...written.keys()].filter((path) => before.get(path) !== written.get(path))
    // Text that the client itself has since written is ignored; nothing that reaches Ken may remain there.
    const untouched = ours.filter((path) => used.get(path) === written.get(path))
    const reaching = ours.filter((path) =>
      [programs.ken, 'KEN_HTTP_TOKEN'].some((text) => after.get(path)?.includes(text)),
    )
    const last = model.requests.findLast(({ answers }) => answers.some(({ text }) => text.includes('RabbitMQ')))
    return {
      tools: last !== undefined,
      ...seenIn(last ?? model.requests.at(-1)),
      skills: skillsIn(model.requests),
      leftAtOnce,
      leftAfterUse: [...differing(before, after, untouched), ...reaching],
      printed: [printed, ...(last ? [] : said(model.requests))].map((text) => text.trim().slice(-400)).join('\n'),
    }
  } finally {
    await server?.close()
    await opened.close()
  }
}

/** The offered tools and the results, if the expected answer is missing. */
const said = (asked: readonly ModelRequest[]): string[] => [
  `Offered: ${[...new Set(asked.flatMap(({ tools }) => tools.map(({ name }) => name)))].join(' ')}`,
  `Answered: ${asked.flatMap(({ answers }) => answers.map(({ text }) => text)).join('\n')}`,
]

/** Count of each SEEN pattern in a client's request. */
export function seenIn(asked: Pick<ModelRequest, 'said'> | undefined): Record<keyof typeof SEEN, number> {
  const text = asked?.said ?? ''
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  return {
    sessionHook: count(SEEN.sessionHook),
    promptHook: count(SEEN.promptHook),
    block: count(SEEN.block),
    serverInstructions: count(SEEN.serverInstructions),
  }
}

function skillsIn(requests: readonly ModelRequest[]): string[] {
  const text = requests.map((each) => each.said).join('\n')
  return SKILLS.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
}

/** Every file below a folder, except git's and Ken's own. */
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
