import {
  type Client,
  type ClientName,
  type HookEvent,
  type HookFile,
  type Launcher,
  type Place,
  SERVE,
  SERVER_NAME,
  type SetupScope,
  type ServerFile,
  hookCommand,
} from './client.ts'
import { opencodePlugin } from './opencode-plugin.ts'

/** Seconds a client waits for a hook; Ken answers in a fraction of one or not at all. */
const PATIENCE = 5
// Longer than the client's own 5 s, in which `npx` may still be unpacking.
const OPENCODE_PATIENCE = 30_000

const CLAUDE_EVENTS = { 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' } as const

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    name: 'claude-code',
    title: 'Claude Code',
    scope: 'project',
    signs: ['{claude}/.', '{project}/.claude'],
    server: {
      user: json('mcpServers', '{claudeState}/.claude.json'),
      project: json('mcpServers', '{project}/.mcp.json'),
    },
    entry: started,
    events: CLAUDE_EVENTS,
    hooks: hookFiles(
      { user: '{claude}/settings.json', project: '{project}/.claude/settings.local.json' },
      nested({ timeout: PATIENCE }),
    ),
    skills: skills('{claude}/skills', '{project}/.claude/skills'),
    approval: {
      server: {
        user: 'Restart Claude Code.',
        project: 'Start `claude` here and approve the server `ken` when it asks.',
      },
      hooks: '',
    },
  },
  codex: {
    name: 'codex',
    title: 'Codex',
    scope: 'user',
    signs: ['{codex}/.', '{project}/.codex'],
    server: { user: toml('{codex}/config.toml'), project: toml('{project}/.codex/config.toml') },
    entry: started,
    events: CLAUDE_EVENTS,
    hooks: hookFiles(
      { user: '{codex}/hooks.json', project: '{project}/.codex/hooks.json' },
      nested({ timeout: PATIENCE }),
    ),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Restart Codex.',
        project: 'Start `codex` here and trust the project; before that it does not read .codex/config.toml.',
      },
      hooks: 'Open `/hooks` in Codex and trust the hooks of Ken; until then they are skipped.',
    },
  },
  cursor: {
    name: 'cursor',
    title: 'Cursor',
    scope: 'project',
    signs: ['{home}/.cursor', '{project}/.cursor'],
    server: {
      user: json('mcpServers', '{home}/.cursor/mcp.json'),
      project: json('mcpServers', '{project}/.cursor/mcp.json'),
    },
    entry: started,
    events: { 'session-start': 'sessionStart', prompt: 'beforeSubmitPrompt' },
    hooks: hookFiles(
      { user: '{home}/.cursor/hooks.json', project: '{project}/.cursor/hooks.json' },
      { nested: false, version: true, handler: (command) => ({ command }) },
    ),
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
  },
  opencode: {
    name: 'opencode',
    title: 'OpenCode',
    scope: 'project',
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
    events: { 'session-start': 'session-start', prompt: 'prompt' },
    hooks: {
      user: { kind: 'file', place: '{opencode}/plugins/ken.js', content: opencodePlugin },
      project: { kind: 'file', place: '{project}/.opencode/plugins/ken.js', content: opencodePlugin },
    },
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: { server: { user: 'Restart OpenCode.', project: 'Restart OpenCode.' }, hooks: '' },
  },
  gemini: {
    name: 'gemini',
    title: 'Gemini CLI',
    scope: 'project',
    signs: ['{gemini}/.', '{project}/.gemini'],
    server: {
      user: json('mcpServers', '{gemini}/settings.json'),
      project: json('mcpServers', '{project}/.gemini/settings.json'),
    },
    entry: started,
    events: { 'session-start': 'SessionStart', prompt: 'BeforeAgent' },
    hooks: hookFiles(
      { user: '{gemini}/settings.json', project: '{project}/.gemini/settings.json' },
      nested({ name: SERVER_NAME, timeout: PATIENCE * 1000 }),
    ),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Gemini CLI starts no server in a folder it does not trust: answer its question, or run `/permissions`.',
        project: 'Start `gemini` here and trust the folder; before that it starts no server.',
      },
      hooks: 'Gemini CLI warns once about new hooks in a project; the ones named `ken` are these.',
    },
  },
  copilot: {
    name: 'copilot',
    title: 'Copilot CLI',
    scope: 'user',
    signs: ['{copilot}/.'],
    server: {
      user: json('mcpServers', '{copilot}/mcp-config.json'),
      project: json('mcpServers', '{project}/.github/mcp.json'),
    },
    entry: (launcher) => ({ type: 'local', ...started(launcher), tools: ['*'] }),
    events: CLAUDE_EVENTS,
    hooks: copilotHooks(),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Restart Copilot CLI.',
        project: 'Start `copilot` here and trust the folder; before that it does not read .github/mcp.json.',
      },
      hooks: '',
    },
  },
  vscode: {
    name: 'vscode',
    title: 'VS Code',
    scope: 'project',
    signs: ['{vscode}/.', '{project}/.vscode'],
    server: { user: json('servers', '{vscode}/mcp.json'), project: json('servers', '{project}/.vscode/mcp.json') },
    entry: (launcher) => ({ type: 'stdio', ...started(launcher) }),
    events: CLAUDE_EVENTS,
    hooks: copilotHooks(),
    skills: skills('{home}/.agents/skills', '{project}/.agents/skills'),
    approval: {
      server: {
        user: 'Run "MCP: List Servers" in VS Code and start `ken`; confirm that you trust it.',
        project: 'Open .vscode/mcp.json in VS Code, start `ken` there, and confirm that you trust it.',
      },
      hooks: '',
    },
  },
}

function started(launcher: Launcher): { command: string; args: string[] } {
  const [command = 'ken', ...rest] = launcher
  return { command, args: [...rest, ...SERVE] }
}

function json(key: string, ...places: Place[]): ServerFile {
  return { places, format: 'json', path: [key, SERVER_NAME] }
}

function toml(place: Place): ServerFile {
  return { places: [place], format: 'toml', path: ['mcp_servers', SERVER_NAME] }
}

type Handlers = Pick<Extract<HookFile, { kind: 'events' }>, 'nested' | 'version' | 'handler'>

function hookFiles(places: Record<SetupScope, Place>, handlers: Handlers): Record<SetupScope, HookFile> {
  return {
    user: { kind: 'events', place: places.user, ...handlers },
    project: { kind: 'events', place: places.project, ...handlers },
  }
}

function nested(more: object): Handlers {
  return { nested: true, version: false, handler: (command) => ({ type: 'command', command, ...more }) }
}

function copilotHooks(): Record<SetupScope, HookFile> {
  return {
    user: { kind: 'file', place: '{copilot}/hooks/ken.json', content: copilotHookFile },
    project: { kind: 'file', place: '{project}/.github/hooks/ken.json', content: copilotHookFile },
  }
}

/** Copilot CLI and VS Code read the same file; event names in this spelling give both the same input. */
function copilotHookFile(launcher: Launcher, platform: string): string {
  const handlers = (event: HookEvent) => [
    { type: 'command', command: hookCommand(launcher, { event, client: 'copilot', platform }), timeout: PATIENCE },
  ]
  return `${JSON.stringify({ version: 1, hooks: { SessionStart: handlers('session-start'), UserPromptSubmit: handlers('prompt') } }, null, 2)}\n`
}

function skills(user: Place, project: Place): Client['skills'] {
  return { user: { folder: user, form: 'skill' }, project: { folder: project, form: 'skill' } }
}
