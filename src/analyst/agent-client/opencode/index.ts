import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { asObject } from '../../../kernel/system/json-value.ts'
import { defineClient, SERVER, type ClientPlace } from '../define-client.ts'
import { openCodeReader } from './read-opencode.ts'

/** The client's file locations, its own login, and the usual keys of the providers it supports. */
const OWN =
  /^(?:OPENCODE_(?:CONFIG|CONFIG_DIR|API_KEY|AUTH_CONTENT|DB|MODELS_PATH|MODELS_URL)|(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|CEREBRAS|TOGETHER|FIREWORKS|MOONSHOT|ZHIPU|DEEPINFRA|HF)_(?:API_KEY|AUTH_TOKEN|BASE_URL|TOKEN))$/

const AGENT = 'ken'

/** OpenCode, as `opencode run`. */
export const openOpenCode = defineClient({
  name: 'opencode',
  title: 'OpenCode',
  program: 'opencode',
  places: ['.opencode/bin'],
  install: 'npm install -g opencode-ai',
  login: 'Run `opencode auth login` in a terminal',
  isOwn: (name, place) => OWN.test(name) || configsOf(place).some((text) => text.includes(`{env:${name}}`)),
  // OpenCode has models that need no login.
  isLoggedIn: async () => true,
  async start({ request, model, server, keep, ...place }) {
    const others = configsOf(place).flatMap((text) => Object.keys(asObject(asObject(parse(text))?.['mcp']) ?? {}))
    const config = {
      agent: {
        [AGENT]: {
          mode: 'primary',
          description: 'Answers with the tools of Ken',
          prompt: `{file:${keep('system.md', request.system)}}`,
          steps: request.maxSteps,
          permission: { '*': 'deny', [`${SERVER}_*`]: 'allow' },
        },
      },
      default_agent: AGENT,
      share: 'disabled',
      autoupdate: false,
      snapshot: false,
      mcp: {
        ...Object.fromEntries(others.map((name) => [name, { enabled: false }])),
        [SERVER]: {
          type: 'local',
          command: server.command,
          environment: server.variables,
          enabled: true,
          timeout: 900_000,
        },
      },
    }
    return {
      arguments: [
        ['run', '--pure', '--format', 'json', '--thinking', '--agent', AGENT],
        model === undefined ? [] : [`--model=${model}`],
        request.session === undefined ? ['--title', 'Ken'] : [`--session=${request.session}`],
      ].flat(),
      environment: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_CLAUDE_CODE: '1',
        OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_SHARE: '1',
      },
      input: request.prompt,
    }
  },
  reader: openCodeReader,
})

/**
 * Returns the texts of the client's own configuration files. Ken's options are merged with them, so each server there
 * has to be disabled by name.
 */
function configsOf({ home, full }: ClientPlace): readonly string[] {
  const folder = full['OPENCODE_CONFIG_DIR'] || join(full['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')
  const named = full['OPENCODE_CONFIG']
  const paths = [
    ...['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => join(folder, name)),
    ...(named ? [named] : []),
  ]
  return paths.flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')]
    } catch {
      return []
    }
  })
}
