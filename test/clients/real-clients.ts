import type { ClientName } from '../../src/setup/domain/clients.ts'

/** Test setup of a client: a separate home and repository, and a model. */
export interface ClientPlace {
  readonly home: string
  readonly project: string
  readonly modelUrl: string
}

/** A coding agent from npm that can be run without a person. */
export interface RealClient {
  readonly name: ClientName
  readonly program: string
  readonly package: string
  /** Its own settings, by path below the home: the model, and trust in the folder. */
  settings(place: ClientPlace): Readonly<Record<string, string>>
  env(place: ClientPlace): Readonly<Record<string, string>>
  readonly arguments: readonly string[]
  /** Whether the prompt is the last argument, or is read from standard input. */
  readonly promptBy: 'argument' | 'input'
  /** Why the client cannot use a server over HTTP. */
  readonly noHttp?: string
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    name: 'claude-code',
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    settings: ({ project }) => ({
      '.claude.json': json({ hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } }),
      '.claude/settings.json': json({ enabledMcpjsonServers: ['ken'] }),
    }),
    env: ({ modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    arguments: ['--allowedTools', 'mcp__ken', '-p'],
    promptBy: 'argument',
  },
  {
    name: 'codex',
    program: 'codex',
    package: '@openai/codex',
    settings: ({ project, modelUrl }) => ({
      '.codex/config.toml': `# Mine.
model = "scripted"
model_provider = "scripted" # not theirs

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"

[projects."${project}"]
trust_level = "trusted"
`,
    }),
    env: () => ({}),
    arguments: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
    ],
    promptBy: 'argument',
  },
  {
    name: 'opencode',
    program: 'opencode',
    package: 'opencode-ai',
    settings: ({ modelUrl }) => ({
      '.config/opencode/opencode.json': json({
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: { scripted: { tool_call: true } },
          },
        },
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        permission: 'allow',
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    arguments: ['run'],
    promptBy: 'input',
  },
  {
    name: 'gemini',
    program: 'gemini',
    package: '@google/gemini-cli',
    settings: ({ project }) => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
      }),
      '.gemini/trustedFolders.json': json({ [project]: 'TRUST_FOLDER' }),
    }),
    env: ({ modelUrl }) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    arguments: ['--approval-mode', 'yolo', '-p'],
    promptBy: 'argument',
  },
  {
    name: 'copilot',
    program: 'copilot',
    package: '@github/copilot',
    settings: () => ({}),
    env: ({ modelUrl }) => ({
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
    }),
    arguments: ['--allow-all-tools', '--no-color', '-s', '-p'],
    promptBy: 'argument',
  },
  {
    name: 'qwen',
    program: 'qwen',
    package: '@qwen-code/qwen-code',
    settings: () => ({ '.qwen/settings.json': json({ security: { auth: { selectedType: 'openai' } } }) }),
    env: ({ modelUrl }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted' }),
    arguments: ['--approval-mode', 'yolo'],
    promptBy: 'argument',
  },
  {
    name: 'pi',
    program: 'pi',
    package: '@earendil-works/pi-coding-agent',
    settings: ({ modelUrl }) => ({
      '.pi/agent/models.json': json({
        providers: {
          scripted: {
            baseUrl: `${modelUrl}/v1`,
            api: 'openai-completions',
            apiKey: 'none',
            models: [{ id: 'scripted' }],
          },
        },
      }),
    }),
    env: () => ({}),
    arguments: ['--offline', '--provider', 'scripted', '--model', 'scripted', '-p'],
    promptBy: 'argument',
    noHttp: 'speaks no MCP; its extension starts the server',
  },
]
