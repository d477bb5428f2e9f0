import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { writeAtomically } from '../../../kernel/system/atomic-file.ts'
import { asObject } from '../../../kernel/system/json-value.ts'
import { defineClient, SERVER, type ClientPlace, type ClientRun } from '../define-client.ts'
import { geminiReader } from './read-gemini.ts'

const OWN =
  /^(?:GEMINI_(?:API_KEY|MODEL|CLI_HOME|FORCE_FILE_STORAGE|FORCE_ENCRYPTED_FILE_STORAGE)|GOOGLE_(?:API_KEY|GENAI_[A-Z0-9_]+|CLOUD_PROJECT|CLOUD_PROJECT_ID|CLOUD_LOCATION|GEMINI_BASE_URL|VERTEX_BASE_URL)|CODE_ASSIST_ENDPOINT)$/
const LOGINS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA']

const POLICY = `[[rule]]
toolName = "*"
decision = "deny"
priority = 1

[[rule]]
toolName = "*"
mcpName = "${SERVER}"
decision = "allow"
priority = 900
`

/** Gemini CLI, as `gemini -o stream-json`. */
export const openGemini = defineClient({
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  places: [],
  install: 'npm install -g @google/gemini-cli',
  login: 'Run `gemini` in a terminal and log in, or set GEMINI_API_KEY',
  isOwn: (name, { full }) =>
    OWN.test(name) || (name === 'GOOGLE_APPLICATION_CREDENTIALS' && Boolean(full['GOOGLE_GENAI_USE_VERTEXAI'])),
  isLoggedIn: async (place) =>
    LOGINS.some((name) => Boolean(place.full[name])) ||
    existsSync(join(folderOf(place), 'oauth_creds.json')) ||
    existsSync(join(folderOf(place), '.env')) ||
    hasChosenLogin(place),
  async start(run) {
    writeSettings(run)
    const { request, model, keep } = run
    return {
      arguments: [
        ['-o', 'stream-json', '--approval-mode', 'default', '--admin-policy', keep('policy.toml', POLICY)],
        ['--allowed-mcp-server-names', SERVER, '--extensions', 'none'],
        model === undefined ? [] : [`--model=${model}`],
        request.session === undefined ? [] : [`--resume=${request.session}`],
      ].flat(),
      environment: {
        ...run.server.variables,
        // Replaces the client's default prompt, which is about writing code.
        GEMINI_SYSTEM_MD: keep('system.md', request.system),
        // The folder is Ken's own; without trust no server starts.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
      input: request.prompt,
    }
  },
  reader: geminiReader,
})

const folderOf = ({ home, full }: ClientPlace): string => join(full['GEMINI_CLI_HOME'] || home, '.gemini')

function hasChosenLogin(place: ClientPlace): boolean {
  try {
    const settings = asObject(parse(readFileSync(join(folderOf(place), 'settings.json'), 'utf8')))
    const auth =
      asObject(asObject(settings?.['security'])?.['auth'])?.['selectedType'] ?? settings?.['selectedAuthType']
    return auth !== undefined
  } catch {
    return false
  }
}

/**
 * The client reads servers only from settings files. The file is the same for every run, since several may run at once:
 * differences come from the environment.
 */
function writeSettings({ folder, server }: ClientRun): void {
  const [command, ...words] = server.command
  const env = Object.fromEntries(Object.keys(server.variables).map((name) => [name, `$${name}`]))
  const settings = {
    mcpServers: { [SERVER]: { command, args: words, env, trust: true, timeout: 900_000 } },
    mcp: { allowed: [SERVER] },
    tools: { core: ['none'] },
    hooksConfig: { enabled: false },
    skills: { enabled: false },
    experimental: { enableAgents: false },
    // A name that no file has, so that no context file is loaded.
    context: { fileName: 'none.ken.md' },
    general: { enableAutoUpdate: false, checkpointing: { enabled: false } },
    advanced: { ignoreLocalEnv: true },
  }
  mkdirSync(join(folder, '.gemini'), { recursive: true, mode: 0o700 })
  writeAtomically(join(folder, '.gemini', 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`)
}
