import {
  defineClient,
  type Client,
  type ClientPlaces,
  HOOK_PATIENCE,
  type HookEvent,
  type HookFile,
  type Launcher,
  type Machine,
  type Place,
  SERVE,
  SERVER_NAME,
  type SetupScope,
  type ServerFile,
  hookCommand,
} from './client.ts'
import { opencodePlugin } from './opencode-plugin.ts'
import { piHooks, piTools } from './pi-extensions.ts'
import { TOKEN_VARIABLE } from './server-entry.ts'
import { geminiFileNames, opencodeSchema } from './side-settings.ts'

// Longer than the client's default of 5 s, in which `npx` may still be unpacking.
const OPENCODE_PATIENCE = 30_000

const CLAUDE_EVENTS = { 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' } as const
/** Ends a turn; the hook is given the agent's last message. */
const STOP = { stop: 'Stop' } as const

const DEFINED = [
  defineClient({
    name: 'claude-code',
    title: 'Claude Code',
    scope: 'project',
    roots: {
      claude: ({ env, home }) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
      // The folder of `.claude.json` differs from that of Claude Code's settings.
      claudeState: ({ env, home }) => env.CLAUDE_CONFIG_DIR || home,
    },
    signs: ['{claude}/.', '{project}/.claude'],
    server: {
      user: json('mcpServers', '{claudeState}/.claude.json'),
      project: json('mcpServers', '{project}/.mcp.json'),
    },
    entry: started,
    // Claude Code treats an unset variable as an error unless the text has a default.
    httpEntry: (url) => ({ type: 'http', url, headers: bearer(`\${${TOKEN_VARIABLE}:-}`) }),
    events: { ...CLAUDE_EVENTS, ...STOP },
    hooks: hookFiles(
      { user: '{claude}/settings.json', project: '{project}/.claude/settings.local.json' },
      nested({ timeout: HOOK_PATIENCE }),
    ),
    // VS Code and Copilot CLI run these hooks too; unlike Claude Code they send a timestamp.
    hookOutput: (context, event, { timestamp }) =>
      timestamp === undefined ? claudeOutput(context, event) : copilotOutput(context, event),
    stopOutput: (reason) => JSON.stringify({ decision: 'block', reason }),
    skills: skills('{claude}/skills', '{project}/.claude/skills'),
    approval: {
      server: {
        user: 'Restart Claude Code.',
        project: 'Start `claude` here and approve the server `ken` when it asks.',
      },
      hooks: '',
    },
  }),
  defineClient({
    name: 'codex',
    title: 'Codex',
    scope: 'user',
    roots: { codex: ({ env, home }) => env.CODEX_HOME || `${home}/.codex` },
    signs: ['{codex}/.', '{project}/.codex'],
    server: { user: toml('{codex}/config.toml'), project: toml('{project}/.codex/config.toml') },
    entry: started,
    httpEntry: (url) => ({ url, bearer_token_env_var: TOKEN_VARIABLE }),
    // Codex begins the first turn within a second, without the tools of a server that is not up by then. It waits for a
    // required one, and a machine under load may need more than the default ten seconds.
    once: { required: true, startup_timeout_sec: 30 },
    events: { ...CLAUDE_EVENTS, ...STOP },
    hooks: hookFiles(
      { user: '{codex}/hooks.json', project: '{project}/.codex/hooks.json' },
      nested({ timeout: HOOK_PATIENCE }),
    ),
    hookOutput: claudeOutput,
    stopOutput: (reason) => JSON.stringify({ decision: 'block', reason }),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Restart Codex.',
        project: 'Start `codex` here and trust the project; before that it does not read .codex/config.toml.',
      },
      hooks: 'Open `/hooks` in Codex and trust the hooks of Ken; until then they are skipped.',
    },
  }),
  defineClient({
    name: 'cursor',
    title: 'Cursor',
    scope: 'project',
    roots: {},
    signs: ['{home}/.cursor', '{project}/.cursor'],
    server: {
      user: json('mcpServers', '{home}/.cursor/mcp.json'),
      project: json('mcpServers', '{project}/.cursor/mcp.json'),
    },
    entry: started,
    httpEntry: (url) => ({ url, headers: bearer(`\${env:${TOKEN_VARIABLE}}`) }),
    events: { 'session-start': 'sessionStart', prompt: 'beforeSubmitPrompt', compaction: 'preCompact' },
    hooks: hookFiles(
      { user: '{home}/.cursor/hooks.json', project: '{project}/.cursor/hooks.json' },
      { nested: false, version: true, handler: (command) => ({ command, timeout: HOOK_PATIENCE }) },
    ),
    hookOutput: (context) => JSON.stringify({ continue: true, additional_context: context }),
    skills: {
      user: { folder: '{home}/.cursor/skills', form: 'skill' },
      project: { folder: '{project}/.cursor/rules', form: 'rule' },
    },
    approval: {
      server: {
        user: 'Switch the server `ken` on in Cursor, Settings, MCP.',
        project: 'Switch the server `ken` on in Cursor, Settings, MCP (or `cursor-agent mcp enable ken`).',
      },
      hooks: '',
    },
  }),
  defineClient({
    name: 'opencode',
    title: 'OpenCode',
    scope: 'project',
    roots: { opencode: (machine) => `${configFolder(machine)}/opencode` },
    signs: ['{opencode}/.', '{project}/opencode.json', '{project}/opencode.jsonc', '{project}/.opencode'],
    server: {
      user: json('mcp', '{opencode}/opencode.json', '{opencode}/opencode.jsonc', '{opencode}/config.json'),
      project: json(
        'mcp',
        '{project}/opencode.json',
        '{project}/opencode.jsonc',
        '{project}/.opencode/opencode.json',
        '{project}/.opencode/opencode.jsonc',
      ),
    },
    entry: (launcher) => ({
      type: 'local',
      command: [...launcher, ...SERVE],
      enabled: true,
      timeout: OPENCODE_PATIENCE,
    }),
    httpEntry: (url) => ({
      type: 'remote',
      url,
      headers: bearer(`{env:${TOKEN_VARIABLE}}`),
      enabled: true,
      oauth: false,
      timeout: OPENCODE_PATIENCE,
    }),
    besides: { user: opencodeSchema, project: opencodeSchema },
    events: { 'session-start': 'session-start', prompt: 'prompt' },
    hooks: {
      user: { kind: 'file', place: '{opencode}/plugins/ken.js', content: opencodePlugin },
      project: { kind: 'file', place: '{project}/.opencode/plugins/ken.js', content: opencodePlugin },
    },
    hookOutput: (context) => context,
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: { server: { user: 'Restart OpenCode.', project: 'Restart OpenCode.' }, hooks: '' },
  }),
  defineClient({
    name: 'gemini',
    title: 'Gemini CLI',
    scope: 'project',
    roots: { gemini: ({ env, home }) => `${env.GEMINI_CLI_HOME || home}/.gemini` },
    signs: ['{gemini}/.', '{project}/.gemini'],
    server: {
      user: json('mcpServers', '{gemini}/settings.json'),
      project: json('mcpServers', '{project}/.gemini/settings.json'),
    },
    entry: started,
    httpEntry: (url) => ({ httpUrl: url, headers: bearer(`\${${TOKEN_VARIABLE}}`) }),
    // In the user scope this setting would make Gemini read AGENTS.md in every repository.
    besides: { project: geminiFileNames },
    // No session starts after a compression. Gemini announces a possible compression before every request, and most do
    // not happen: reacting to the announcement would repeat everything with every prompt.
    events: { 'session-start': 'SessionStart', prompt: 'BeforeAgent', compaction: 'PreCompress', stop: 'AfterAgent' },
    isCompaction: ({ trigger }) => trigger === 'manual',
    hooks: hookFiles(
      { user: '{gemini}/settings.json', project: '{project}/.gemini/settings.json' },
      nested({ name: SERVER_NAME, timeout: HOOK_PATIENCE * 1000 }),
    ),
    hookOutput: claudeOutput,
    stopOutput: (reason) => JSON.stringify({ decision: 'deny', reason }),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Gemini CLI starts no server in a folder it does not trust: answer its question, or run `/permissions`.',
        project: 'Start `gemini` here and trust the folder; before that it starts no server.',
      },
      hooks: 'Gemini CLI warns once about new hooks in a project; the ones named `ken` are these.',
    },
  }),
  defineClient({
    name: 'copilot',
    title: 'Copilot CLI',
    scope: 'user',
    roots: { copilot: copilotRoot },
    signs: ['{copilot}/.'],
    server: {
      user: json('mcpServers', '{copilot}/mcp-config.json'),
      project: json('mcpServers', '{project}/.github/mcp.json'),
    },
    entry: (launcher) => ({ type: 'local', ...started(launcher), tools: ['*'] }),
    httpEntry: (url) => ({ type: 'http', url, headers: bearer(`\${${TOKEN_VARIABLE}}`), tools: ['*'] }),
    events: CLAUDE_EVENTS,
    hooks: copilotHooks(),
    hookOutput: copilotOutput,
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Restart Copilot CLI.',
        project: 'Start `copilot` here and trust the folder; before that it does not read .github/mcp.json.',
      },
      hooks: '',
    },
  }),
  defineClient({
    name: 'qwen',
    title: 'Qwen Code',
    scope: 'project',
    roots: { qwen: ({ env, home }) => env.QWEN_HOME || `${home}/.qwen` },
    signs: ['{qwen}/.', '{project}/.qwen'],
    server: {
      user: json('mcpServers', '{qwen}/settings.json'),
      project: json('mcpServers', '{project}/.qwen/settings.json'),
    },
    entry: started,
    httpEntry: (url) => ({ httpUrl: url, headers: bearer(`\${${TOKEN_VARIABLE}}`) }),
    // The client also runs the start hook after a compaction, and drops its output: the next prompt has the page.
    events: { compaction: 'SessionStart', prompt: 'UserPromptSubmit' },
    hooks: hookFiles(
      { user: '{qwen}/settings.json', project: '{project}/.qwen/settings.json' },
      nested({ name: SERVER_NAME, timeout: HOOK_PATIENCE * 1000 }),
    ),
    hookOutput: claudeOutput,
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Restart Qwen Code.',
        project: 'Restart Qwen Code here; where it asks whether to trust the folder, say yes.',
      },
      hooks: '',
    },
  }),
  defineClient({
    name: 'pi',
    title: 'pi',
    scope: 'user',
    roots: { pi: ({ env, home }) => env.PI_CODING_AGENT_DIR || `${home}/.pi/agent` },
    signs: ['{pi}/.', '{project}/.pi'],
    server: {
      user: { places: ['{pi}/extensions/ken.js'], format: 'file', content: piTools },
      project: { places: ['{project}/.pi/extensions/ken.js'], format: 'file', content: piTools },
    },
    entry: started,
    httpEntry: (url) => ({ url }),
    events: { 'session-start': 'session-start', prompt: 'prompt' },
    hooks: {
      user: { kind: 'file', place: '{pi}/extensions/ken-hooks.js', content: piHooks },
      project: { kind: 'file', place: '{project}/.pi/extensions/ken-hooks.js', content: piHooks },
    },
    hookOutput: (context) => context,
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: { user: 'Restart pi, or say `/reload` in it.', project: 'Restart pi, or say `/reload` in it.' },
      hooks: '',
    },
  }),
  defineClient({
    name: 'vscode',
    title: 'VS Code',
    scope: 'project',
    roots: { vscode: codeFolder, copilot: copilotRoot },
    signs: ['{vscode}/.', '{project}/.vscode'],
    server: { user: json('servers', '{vscode}/mcp.json'), project: json('servers', '{project}/.vscode/mcp.json') },
    entry: (launcher) => ({ type: 'stdio', ...started(launcher) }),
    httpEntry: (url) => ({ type: 'http', url, headers: bearer(`\${env:${TOKEN_VARIABLE}}`) }),
    events: CLAUDE_EVENTS,
    hooks: copilotHooks(),
    hookOutput: copilotOutput,
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Run "MCP: List Servers" in VS Code and start `ken`; confirm that you trust it.',
        project: 'Open .vscode/mcp.json in VS Code, start `ken` there, and confirm that you trust it.',
      },
      hooks: '',
    },
  }),
]

export type ClientName = (typeof DEFINED)[number]['name']

export const CLIENT_NAMES: readonly ClientName[] = DEFINED.map(({ name }) => name)

export const CLIENTS = Object.fromEntries(DEFINED.map((client) => [client.name, client])) as Readonly<
  Record<ClientName, Client>
>

/** The clients' folders, with relocation by variables. */
export function clientPlaces(machine: Machine): ClientPlaces {
  const roots = DEFINED.flatMap(({ roots }) => Object.entries(roots)).map(([name, find]) => [name, find(machine)])
  return { ...Object.fromEntries(roots), home: machine.home, project: machine.project }
}

/** The output format of Claude Code and most clients that followed it. */
function claudeOutput(context: string, event: string): string {
  return JSON.stringify(claudeFields(context, event))
}

const claudeFields = (context: string, event: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext: context },
})

/** Copilot CLI reads the first form, VS Code the second, from one file. */
function copilotOutput(context: string, event: string): string {
  return JSON.stringify({ additionalContext: context, ...claudeFields(context, event) })
}

function copilotRoot({ env, home }: Machine): string {
  return env.COPILOT_HOME || `${home}/.copilot`
}

const configFolder = ({ env, home }: Machine): string => env.XDG_CONFIG_HOME || `${home}/.config`

/** The folder of VS Code's settings. */
function codeFolder(machine: Machine): string {
  const { env, home, platform } = machine
  if (platform === 'win32') return `${env.APPDATA || `${home}/AppData/Roaming`}/Code/User`
  return `${platform === 'darwin' ? `${home}/Library/Application Support` : configFolder(machine)}/Code/User`
}

function started(launcher: Launcher): { command: string; args: string[] } {
  const [command = 'ken', ...rest] = launcher
  return { command, args: [...rest, ...SERVE] }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

function json<const P extends Place>(key: string, ...places: P[]): ServerFile<P> {
  return { places, format: 'json', path: [key, SERVER_NAME] }
}

function toml<const P extends Place>(place: P): ServerFile<P> {
  return { places: [place], format: 'toml', path: ['mcp_servers', SERVER_NAME] }
}

type Handlers = Pick<Extract<HookFile, { kind: 'events' }>, 'nested' | 'version' | 'handler'>

function hookFiles<const P extends Place>(
  places: Record<SetupScope, P>,
  handlers: Handlers,
): Record<SetupScope, HookFile<P>> {
  return {
    user: { kind: 'events', place: places.user, ...handlers },
    project: { kind: 'events', place: places.project, ...handlers },
  }
}

function nested(more: object): Handlers {
  return { nested: true, version: false, handler: (command) => ({ type: 'command', command, ...more }) }
}

function copilotHooks(): Record<SetupScope, HookFile<Place<'copilot'>>> {
  return {
    user: { kind: 'file', place: '{copilot}/hooks/ken.json', content: copilotHookFile },
    project: { kind: 'file', place: '{project}/.github/hooks/ken.json', content: copilotHookFile },
  }
}

/** Copilot CLI and VS Code read the same file; with this spelling of event names both send the same input. */
function copilotHookFile(launcher: Launcher, platform: string): string {
  const handlers = (event: HookEvent) => [
    { type: 'command', command: hookCommand(launcher, { event, client: 'copilot', platform }), timeout: HOOK_PATIENCE },
  ]
  const hooks = {
    SessionStart: handlers('session-start'),
    UserPromptSubmit: handlers('prompt'),
    PreCompact: handlers('compaction'),
  }
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`
}

function skills<const P extends Place>(user: P, project: P) {
  return { user: { folder: user, form: 'skill' }, project: { folder: project, form: 'skill' } } as const
}
