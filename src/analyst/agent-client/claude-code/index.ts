import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asObject, asText, parseObject, type JsonObject } from '../../../kernel/system/json-value.ts'
import { saysYes } from '../ask-program.ts'
import { defineClient, SERVER, type ClientPlace } from '../define-client.ts'
import { claudeReader } from './read-claude.ts'

const OWN =
  /^(?:ANTHROPIC_[A-Z0-9_]+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:OAUTH_TOKEN|USE_[A-Z]+|SKIP_[A-Z]+_AUTH|API_KEY_HELPER_TTL_MS|MAX_OUTPUT_TOKENS|CLIENT_(?:CERT|KEY)(?:_PASSPHRASE)?)|API_TIMEOUT_MS|CLOUD_ML_REGION|VERTEX_REGION_[A-Z0-9_]+)$/

/** Clouds that Claude Code connects to with the user's own credentials, if configured. */
const CLOUDS = [
  { switch: 'CLAUDE_CODE_USE_BEDROCK', variables: /^AWS_/ },
  { switch: 'CLAUDE_CODE_USE_VERTEX', variables: /^(?:GOOGLE_|GCLOUD_|CLOUDSDK_)/ },
  { switch: 'CLAUDE_CODE_USE_FOUNDRY', variables: /^AZURE_/ },
]

/** Claude Code, as `claude -p`. */
export const openClaudeCode = defineClient({
  name: 'claude-code',
  title: 'Claude Code',
  program: 'claude',
  places: ['.claude/local', '.claude/bin'],
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'Run `claude` in a terminal and log in with /login',
  isOwn: (name, place) =>
    OWN.test(name) ||
    CLOUDS.some((cloud) => cloud.variables.test(name) && settingOf(place, cloud.switch) !== undefined),
  isLoggedIn: async (place) => userSettings(place)['apiKeyHelper'] !== undefined || saysYes(place, ['auth', 'status']),
  async start({ request, model, server, keep, ...place }) {
    const [command, ...words] = server.command
    const servers = { [SERVER]: { type: 'stdio', command, args: words, env: server.variables, alwaysLoad: true } }
    const helper = asText(userSettings(place)['apiKeyHelper'])
    return {
      arguments: [
        ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
        ['--strict-mcp-config', '--mcp-config', keep('mcp.json', JSON.stringify({ mcpServers: servers }))],
        // No built-in tools; no settings, hooks, plugins, skills or instructions.
        ['--tools', '', '--allowedTools', `mcp__${SERVER}`, '--setting-sources', '', '--disable-slash-commands'],
        helper === undefined ? [] : ['--settings', keep('settings.json', JSON.stringify({ apiKeyHelper: helper }))],
        ['--append-system-prompt-file', keep('system.md', request.system), '--system-prompt-snapshot', 'off'],
        ['--max-turns', String(request.maxSteps)],
        request.maxCost === undefined ? [] : ['--max-budget-usd', String(request.maxCost)],
        model === undefined ? [] : [`--model=${model}`],
        request.session === undefined ? [] : [`--resume=${request.session}`],
      ].flat(),
      environment: {
        ...loginSettings(place),
        // The client's default of ten tries takes minutes.
        CLAUDE_CODE_MAX_RETRIES: '2',
        // Otherwise a question, or untrusted text sent with it, could attach any file with an @.
        CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
        CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
        CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        // Ken's few tools are all needed: searching for them would cost a step.
        ENABLE_TOOL_SEARCH: 'false',
        // A query may run up to its database's time limit.
        MCP_TOOL_TIMEOUT: '900000',
      },
      input: request.prompt,
    }
  },
  reader: claudeReader,
})

const folderOf = ({ home, full }: ClientPlace): string => full['CLAUDE_CONFIG_DIR'] || join(home, '.claude')

/** Reads the user's own settings, which the client does not load because they include hooks and permissions. */
function userSettings(place: ClientPlace): JsonObject {
  try {
    return parseObject(readFileSync(join(folderOf(place), 'settings.json'), 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** Login variables from the user's settings. */
const loginSettings = (place: ClientPlace): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(userSettings(place)['env']) ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && (OWN.test(name) || CLOUDS.some(({ variables }) => variables.test(name)))
        ? [[name, value]]
        : [],
    ),
  )

const settingOf = (place: ClientPlace, name: string): string | undefined =>
  place.full[name] || loginSettings(place)[name] || undefined
