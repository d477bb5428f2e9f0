export const CLIENT_NAMES = ['claude-code', 'codex', 'cursor', 'opencode', 'gemini', 'copilot', 'vscode'] as const
export type ClientName = (typeof CLIENT_NAMES)[number]
export const SCOPES = ['user', 'project'] as const
export type SetupScope = (typeof SCOPES)[number]
/** What happens in a client that Ken can answer to. */
export type HookEvent = 'session-start' | 'prompt'

/** The command that starts Ken, as program and arguments. */
export type Launcher = readonly string[]

/** A path that begins with the name of a root in braces, e.g. `{home}/.claude.json`. */
export type Place = `{${keyof ClientPlaces}}/${string}`

/** Where clients keep their files on this machine. */
export interface ClientPlaces {
  readonly home: string
  /** The project's root folder. */
  readonly project: string
  readonly claude: string
  /** The folder of `.claude.json`, which is not the one of Claude Code's settings. */
  readonly claudeState: string
  readonly codex: string
  readonly copilot: string
  readonly gemini: string
  readonly opencode: string
  readonly vscode: string
}

/** The MCP server entry of a client. Of several places the first that exists is taken, else the first. */
export interface ServerFile {
  readonly places: readonly Place[]
  readonly format: 'json' | 'toml'
  readonly path: readonly string[]
}

export type HookFile =
  /** Handlers in a list per event of a JSON file that others write to. */
  | {
      readonly kind: 'events'
      readonly place: Place
      readonly nested: boolean
      readonly version: boolean
      readonly handler: (command: string) => object
    }
  /** A file of Ken's own. */
  | { readonly kind: 'file'; readonly place: Place; readonly content: (launcher: Launcher, platform: string) => string }

export interface Client {
  readonly name: ClientName
  readonly title: string
  readonly scope: SetupScope
  /** Folders whose presence says that the client is in use. */
  readonly signs: readonly Place[]
  readonly server: Readonly<Record<SetupScope, ServerFile>>
  entry(launcher: Launcher): Record<string, unknown>
  /** The client's own names of the events. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  readonly hooks: Readonly<Record<SetupScope, HookFile>>
  readonly skills: Readonly<Record<SetupScope, { readonly folder: Place; readonly form: 'skill' | 'rule' }>>
  /** What the client still asks of the user, by what was set up. */
  readonly approval: { readonly server: Readonly<Record<SetupScope, string>>; readonly hooks: string }
}

export const SERVER_NAME = 'ken'
export const SERVE = ['serve', '--stdio'] as const

export function resolvePlace(place: Place, places: ClientPlaces): string {
  const [, root, rest] = /^\{(\w+)\}\/(.*)$/.exec(place)!
  return `${places[root as keyof ClientPlaces].replace(/[\\/]+$/, '')}/${rest}`
}

/** Where the clients look, given the variables that move their folders. */
export function clientPlaces(machine: {
  home: string
  project: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
}): ClientPlaces {
  const { home, project, platform, env } = machine
  const config = env.XDG_CONFIG_HOME || `${home}/.config`
  const appData =
    platform === 'win32'
      ? env.APPDATA || `${home}/AppData/Roaming`
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : config
  return {
    home,
    project,
    claude: env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
    claudeState: env.CLAUDE_CONFIG_DIR || home,
    codex: env.CODEX_HOME || `${home}/.codex`,
    copilot: env.COPILOT_HOME || `${home}/.copilot`,
    gemini: `${env.GEMINI_CLI_HOME || home}/.gemini`,
    opencode: `${config}/opencode`,
    vscode: `${appData}/Code/User`,
  }
}

/** One shell line that runs a hook. Written into client files, and recognised there whatever the launcher is. */
export function hookCommand(
  launcher: Launcher,
  hook: { event: HookEvent; client: ClientName; platform: string },
): string {
  return [...launcher.map((word) => quote(word, hook.platform)), 'hook', hook.event, '--client', hook.client].join(' ')
}

export const isHookCommand = (command: unknown, hook: { event: HookEvent; client: ClientName }): boolean =>
  typeof command === 'string' && new RegExp(`\\shook ${hook.event} --client ${hook.client}$`).test(command.trim())

function quote(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word) || (platform === 'win32' && /^[\w@%+=:,./\\-]+$/.test(word))) return word
  return platform === 'win32' ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", `'\\''`)}'`
}
