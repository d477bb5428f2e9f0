import { posixWord, windowsWord } from '../../kernel/domain/shell-word.ts'
import type { FilePart } from './file-change.ts'

export const SCOPES = ['user', 'project'] as const
export type SetupScope = (typeof SCOPES)[number]
/**
 * Client events that Ken handles: a compaction drops earlier context; at `stop` the agent has finished its answer.
 */
export type HookEvent = 'session-start' | 'prompt' | 'compaction' | 'stop'
/**
 * Seconds that a client waits for a hook, as configured by setup; an answer takes a fraction of a second on an idle
 * machine.
 */
export const HOOK_PATIENCE = 10

/** The command that starts Ken, as program and arguments. */
export type Launcher = readonly string[]

export interface Machine {
  readonly home: string
  /** The project's root folder. */
  readonly project: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A path that begins with the name of a root in braces, e.g. `{home}/.cursor/mcp.json`. */
export type Place<R extends string = string> = `{${R | 'home' | 'project'}}/${string}`

/** The roots of all clients on this machine. */
export type ClientPlaces = Readonly<Record<string, string>>

/**
 * Where a client configures access to Ken's tools. Uses the first location that exists, otherwise the first in the
 * list.
 */
export type ServerFile<P extends Place = Place> =
  /** An MCP server entry in a shared file. */
  | { readonly places: readonly P[]; readonly format: 'json' | 'toml'; readonly path: readonly string[] }
  /** A file owned by Ken, for a client without MCP. */
  | { readonly places: readonly P[]; readonly format: 'file'; readonly content: (launcher: Launcher) => string }

export type HookFile<P extends Place = Place> =
  /** Handlers in a list per event of a shared JSON file. */
  | {
      readonly kind: 'events'
      readonly place: P
      readonly nested: boolean
      readonly version: boolean
      readonly handler: (command: string) => object
    }
  /** A file owned by Ken. */
  | { readonly kind: 'file'; readonly place: P; readonly content: (launcher: Launcher, platform: string) => string }

/** A coding agent that Ken can be connected to, with everything that setup, adopt and hooks need. */
export interface Client<N extends string = string, R extends string = string> {
  readonly name: N
  readonly title: string
  readonly scope: SetupScope
  /** The client's folders that a variable or the platform can relocate, by their name in places. */
  readonly roots: Readonly<Record<R, (machine: Machine) => string>>
  /** Folders that show that the client is in use. */
  readonly signs: readonly Place<NoInfer<R>>[]
  readonly server: Readonly<Record<SetupScope, ServerFile<Place<NoInfer<R>>>>>
  entry(launcher: Launcher): Record<string, unknown>
  /** The entry for a running server. The client reads the token from TOKEN_VARIABLE in its own way. */
  httpEntry(url: string): Record<string, unknown>
  /** Fields of the entry that are written if missing, and not changed after that. */
  readonly once?: Readonly<Record<string, unknown>>
  /** Further settings in the file of the client's server entry. */
  readonly besides?: Readonly<Partial<Record<SetupScope, FilePart>>>
  /** The client's names of the events. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** Whether a reported compaction really is one; if absent, every report counts. */
  isCompaction?(input: Readonly<Record<string, unknown>>): boolean
  readonly hooks: Readonly<Record<SetupScope, HookFile<Place<NoInfer<R>>>>>
  /** Hook output that makes the client include `context`; `event` is the client's name for it, `input` its payload. */
  hookOutput(context: string, event: string, input: Readonly<Record<string, unknown>>): string
  /** Output of a `stop` hook that makes the agent answer `question` before it stops; only with that event. */
  stopOutput?(question: string): string
  readonly skills: Readonly<Record<SetupScope, { readonly folder: Place<NoInfer<R>>; readonly form: 'skill' | 'rule' }>>
  /** Approvals that the client still requests, for the server and for hooks. */
  readonly approval: { readonly server: Readonly<Record<SetupScope, string>>; readonly hooks: string }
}

export function defineClient<const N extends string, const R extends string>(
  client: Client<N, R>,
): Client & { readonly name: N } {
  return client
}

export const SERVER_NAME = 'ken'
/** Fewer tools, which agents can find equally well (`npm run eval:tools`). */
export const SERVE = ['serve', '--stdio', '--toolset', 'agent'] as const

export function resolvePlace(place: Place, places: ClientPlaces): string {
  const [, root, rest] = /^\{(\w+)\}\/(.*)$/.exec(place)!
  return `${places[root!]!.replace(/[\\/]+$/, '')}/${rest}`
}

/**
 * One shell line that runs a hook. Written into client files, and recognised there regardless of the launcher.
 * `patience`: the seconds that the client waits.
 */
export function hookCommand(
  launcher: Launcher,
  hook: { event: HookEvent; client: string; platform: string; patience?: number },
): string {
  const words = launcher.map(hook.platform === 'win32' ? windowsWord : posixWord)
  return [...words, 'hook', hook.event, '--client', hook.client, '--patience', hook.patience ?? HOOK_PATIENCE].join(' ')
}

export const isHookCommand = (command: unknown, hook: { event: HookEvent; client: string }): boolean =>
  typeof command === 'string' &&
  new RegExp(`\\shook ${hook.event} --client ${hook.client}(?: --patience \\d+)?$`).test(command.trim())
