import { posixWord, windowsWord } from '../../kernel/domain/shell-word.ts'
import type { FilePart } from './file-change.ts'

export const SCOPES = ['user', 'project'] as const
export type SetupScope = (typeof SCOPES)[number]
/** What happens in a client that Ken can answer to, or must know of: a compaction loses what was shown before. */
export type HookEvent = 'session-start' | 'prompt' | 'compaction'
/** Seconds that a client waits for a hook, as setup tells it to; an answer takes a fraction of one on a free machine. */
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

/** Where the roots of all clients are on this machine. */
export type ClientPlaces = Readonly<Record<string, string>>

/** How a client gets at Ken's tools. Of several places the first that exists is taken, else the first. */
export type ServerFile<P extends Place = Place> =
  /** An MCP server entry in a file that others write to. */
  | { readonly places: readonly P[]; readonly format: 'json' | 'toml'; readonly path: readonly string[] }
  /** A file of Ken's own, for a client without MCP. */
  | { readonly places: readonly P[]; readonly format: 'file'; readonly content: (launcher: Launcher) => string }

export type HookFile<P extends Place = Place> =
  /** Handlers in a list per event of a JSON file that others write to. */
  | {
      readonly kind: 'events'
      readonly place: P
      readonly nested: boolean
      readonly version: boolean
      readonly handler: (command: string) => object
    }
  /** A file of Ken's own. */
  | { readonly kind: 'file'; readonly place: P; readonly content: (launcher: Launcher, platform: string) => string }

/** A coding agent that Ken can be connected to: all that setup, adopt and hooks know of it. */
export interface Client<N extends string = string, R extends string = string> {
  readonly name: N
  readonly title: string
  readonly scope: SetupScope
  /** Folders of its own that a variable or the platform can move, by the name that places call them by. */
  readonly roots: Readonly<Record<R, (machine: Machine) => string>>
  /** Folders whose presence says that the client is in use. */
  readonly signs: readonly Place<NoInfer<R>>[]
  readonly server: Readonly<Record<SetupScope, ServerFile<Place<NoInfer<R>>>>>
  entry(launcher: Launcher): Record<string, unknown>
  /** The entry for a server that runs already. The token comes from TOKEN_VARIABLE, by the means that the client has. */
  httpEntry(url: string): Record<string, unknown>
  /** Fields of the entry that are written where they are missing, and left as the user wants them after that. */
  readonly once?: Readonly<Record<string, unknown>>
  /** What else it needs in the file of its server entry. */
  readonly besides?: Readonly<Partial<Record<SetupScope, FilePart>>>
  /** The client's own names of the events. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** Whether what it calls a compaction is one; where it is absent, always. */
  isCompaction?(input: Readonly<Record<string, unknown>>): boolean
  readonly hooks: Readonly<Record<SetupScope, HookFile<Place<NoInfer<R>>>>>
  /** What a hook prints, so that the client takes `context` in; `event` is the client's name of it, `input` what it sent. */
  hookOutput(context: string, event: string, input: Readonly<Record<string, unknown>>): string
  readonly skills: Readonly<Record<SetupScope, { readonly folder: Place<NoInfer<R>>; readonly form: 'skill' | 'rule' }>>
  /** What the client still asks of the user, by what was set up. */
  readonly approval: { readonly server: Readonly<Record<SetupScope, string>>; readonly hooks: string }
}

export function defineClient<const N extends string, const R extends string>(
  client: Client<N, R>,
): Client & { readonly name: N } {
  return client
}

export const SERVER_NAME = 'ken'
/** With fewer tools, which are found as well (`npm run eval:tools`). */
export const SERVE = ['serve', '--stdio', '--toolset', 'agent'] as const

export function resolvePlace(place: Place, places: ClientPlaces): string {
  const [, root, rest] = /^\{(\w+)\}\/(.*)$/.exec(place)!
  return `${places[root!]!.replace(/[\\/]+$/, '')}/${rest}`
}

/**
 * One shell line that runs a hook. Written into client files, and recognised there whatever the launcher is.
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
