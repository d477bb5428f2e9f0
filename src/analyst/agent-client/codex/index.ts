import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import { asObjects, asText } from '../../../kernel/system/json-value.ts'
import { askProgram, saysYes } from '../ask-program.ts'
import { defineClient, SERVER, type ClientPlace } from '../define-client.ts'
import { tomlKey, tomlText } from '../toml-text.ts'
import { codexReader, openSpending } from './read-codex.ts'

const OWN = /^(?:CODEX_(?:HOME|API_KEY|ACCESS_TOKEN|CA_CERTIFICATE)|OPENAI_[A-Z0-9_]+)$/

/** Features to disable: everything but calling Ken's tools. Names unknown to a version are ignored. */
const OFF =
  'apps browser_use computer_use goals hooks image_generation in_app_browser memories multi_agent plugins shell_tool sleep_tool tool_suggest unified_exec view_image'

/** Codex, as `codex exec`. */
export const openCodex = defineClient({
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  places: ['.codex/bin'],
  install: 'npm install -g @openai/codex',
  login: 'Run `codex login` in a terminal',
  isOwn: (name, place) => OWN.test(name) || keysNamed(configOf(place)).includes(name),
  isLoggedIn: async (place) =>
    ['CODEX_API_KEY', 'OPENAI_API_KEY'].some((name) => Boolean(place.full[name])) ||
    // A custom provider needs no login.
    /^\s*model_provider\s*=/m.test(configOf(place)) ||
    saysYes(place, ['login', 'status']),
  async start({ request, model, server, ...place }) {
    const [command, ...words] = server.command
    const entry = {
      command: tomlText(command!),
      args: tomlText(words),
      env: tomlText(server.variables),
      // Otherwise the first request may be sent before the server is ready.
      required: 'true',
      enabled_tools: tomlText(request.tools),
      default_tools_approval_mode: tomlText('approve'),
      startup_timeout_sec: '60',
      tool_timeout_sec: '900',
    }
    const others = await otherServers(place)
    const settings = [
      Object.entries(entry).map(([name, value]) => `mcp_servers.${SERVER}.${name}=${value}`),
      others.map((name) => `mcp_servers.${tomlKey(name)}.enabled=false`),
      OFF.split(' ').map((feature) => `features.${feature}=false`),
      ['sandbox_mode="read-only"', 'approval_policy="never"', 'web_search="disabled"'],
      // No user notifier, no project instructions, and no entry in the user's history.
      ['notify=[]', 'project_doc_max_bytes=0', 'history.persistence="none"'],
    ].flat()
    return {
      arguments: [
        request.session === undefined ? ['exec'] : ['exec', 'resume'],
        ['--json', '--skip-git-repo-check', '--ignore-rules'],
        settings.flatMap((setting) => ['-c', setting]),
        model === undefined ? [] : [`--model=${model}`],
        request.session === undefined ? ['-'] : [request.session, '-'],
      ].flat(),
      // Codex has no system prompt file, and a command line is readable by every user of the machine.
      input: `${request.system}\n\n# The question\n\n${request.prompt}`,
    }
  },
  reader: ({ request, folder }) => codexReader(openSpending(folder), request.session),
})

function configOf({ home, full }: ClientPlace): string {
  try {
    return readFileSync(join(full['CODEX_HOME'] || join(home, '.codex'), 'config.toml'), 'utf8')
  } catch {
    return ''
  }
}

/** Returns the variables from which the client's configuration reads keys. */
const keysNamed = (config: string): string[] =>
  [...config.matchAll(/^\s*(?:env_key|bearer_token_env_var)\s*=\s*"([A-Za-z0-9_]{1,100})"/gm)].map(([, name]) => name!)

/**
 * Returns the servers in the client's own configuration. Ken's options are merged with it, so each server has to be
 * disabled by name.
 */
async function otherServers(place: ClientPlace): Promise<readonly string[]> {
  const { code, out, said } = await askProgram(place, ['mcp', 'list', '--json'])
  const listed = code === 0 ? parsedList(out) : undefined
  if (listed === undefined)
    throw new AppError('unavailable', `Codex does not list its MCP servers: ${said.trim().slice(0, 200)}`, {
      hint: 'Run `codex mcp list --json` to see why.',
    })
  return asObjects(listed)
    .flatMap(({ name }) => asText(name) ?? [])
    .filter((name) => name !== SERVER)
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
