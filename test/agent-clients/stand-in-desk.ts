import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { AgentClient } from '../../src/analyst/ports/agent-client.ts'
import { openAgentClient } from '../../src/app/open-agent-clients.ts'
import type { AgentClientName } from '../../src/kernel/domain/agent-client-name.ts'
import type { ClientDesk, Scene } from '../contract/agent-client.contract.ts'
import type { Plan, Seen } from './plan.ts'

const HERE = import.meta.dirname
const PROGRAMS: Readonly<Record<AgentClientName, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  opencode: 'opencode',
  gemini: 'gemini',
}

/** Each client's message for an unknown session. */
const GONE: Readonly<Record<AgentClientName, string>> = {
  'claude-code': 'No conversation found with session ID: 0\n',
  codex: 'Error: thread/resume: thread/resume failed: no rollout found for thread id 0 (code -32600)\n',
  opencode: '\u001B[91m\u001B[1mError: \u001B[0mSession not found\n',
  gemini: 'Error resuming session: Invalid session identifier "0".\n  Use --list-sessions to see available sessions.\n',
}

const SHORT: Plan['short'] = {
  'auth status': { prints: '{"loggedIn": true}\n', code: 0 },
  'login status': { prints: 'Logged in using ChatGPT\n', code: 0 },
  'mcp list --json': { prints: '[{"name":"mine"},{"name":"with space"}]', code: 0 },
}

export interface StandInDesk extends ClientDesk {
  /** The user's home. */
  readonly home: string
  /** How it was last started. */
  seen(): Seen
  serverEnvironment(): Record<string, string>
  open(name?: string): Promise<AgentClient>
}

export interface StandInOptions extends Partial<Omit<Plan, 'client' | 'seen'>> {
  readonly environment?: Readonly<Record<string, string>>
  /** Longest allowed silence, in milliseconds. */
  readonly silence?: number
  /** Files in the user's home. */
  readonly files?: Readonly<Record<string, string>>
}

/** A client's program, replaced by a stand-in that prints the recorded output, in a separate home. */
export async function openStandIn(
  client: AgentClientName,
  { environment = {}, files = {}, silence, ...plan }: StandInOptions = {},
): Promise<StandInDesk> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ken-stand-in-')))
  const [seen, told] = [join(root, 'seen.json'), join(root, 'server.json')]
  const home = join(root, 'home')
  const bin = join(root, 'bin')
  mkdirSync(bin)
  mkdirSync(home)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  writeFileSync(join(root, 'plan.json'), JSON.stringify({ client, seen, prints: [], short: SHORT, ...plan }))
  const program = join(bin, PROGRAMS[client])
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${HERE}/stand-in.ts" "${root}/plan.json" "$@"\n`)
  chmodSync(program, 0o755)
  const given = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    KEN_HOME: join(root, 'ken'),
    GEMINI_API_KEY: 'none',
    ...environment,
  }
  const open = (model?: string) => openAgentClient({ client, ...(model !== undefined && { model }) }, given, silence)
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  return {
    client: await open(),
    open,
    home,
    server: {
      command: [process.execPath, resolve(HERE, 'server.ts'), told],
      environment: { KEN_CHAT: 'c1', KEN_MESSAGE: 'm1' },
    },
    seen: () => read(seen),
    serverEnvironment: () => read(told),
    sent: async () => (existsSync(seen) ? [read(seen).input, ...Object.values(read(seen).files)].join('\n') : ''),
    alive: async () => (existsSync(seen) ? (read(seen) as Seen).pids.filter(isAlive) : []),
    close: async () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Recorded output of the real client in a scene. */
export function recorded(client: AgentClientName, scene: Scene): StandInOptions {
  const linesOf = (name: string) =>
    readFileSync(join(HERE, '..', 'fixtures', 'agent-clients', `${client}.${name}.jsonl`), 'utf8').split(/(?<=\n)/)
  const answer = linesOf('answer')
  if (scene === 'answers') return { prints: answer }
  if (scene === 'refused') return { prints: linesOf('refused'), code: 1 }
  if (scene === 'gone') return { complains: GONE[client], code: 1 }
  const last = answer.findLastIndex((line) => /tool_result|"status": ?"completed"|"failed"/.test(line))
  return { prints: answer.slice(0, last + 1), ends: 'hang' }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A process that has exited stays in the table until its new parent reaps it; without /proc, that is at once.
  const state = existsSync('/proc/self/stat') ? statOf(pid) : 'R'
  return state !== 'Z' && state !== undefined
}

function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)![0]
  } catch {
    return undefined
  }
}
