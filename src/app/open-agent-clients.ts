import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ClientParts } from '../analyst/agent-client/define-client.ts'
import type { AgentClient } from '../analyst/ports/agent-client.ts'
import type { AgentClientName } from '../kernel/domain/agent-client-name.ts'
import { secretRedactor } from '../kernel/domain/secrets/redact.ts'
import { kenHome } from './homes.ts'
import type { Environment } from './settings.ts'

const OPEN: Readonly<Record<AgentClientName, () => Promise<(parts: ClientParts) => AgentClient>>> = {
  'claude-code': async () => (await import('../analyst/agent-client/claude-code/index.ts')).openClaudeCode,
  codex: async () => (await import('../analyst/agent-client/codex/index.ts')).openCodex,
  opencode: async () => (await import('../analyst/agent-client/opencode/index.ts')).openOpenCode,
  gemini: async () => (await import('../analyst/agent-client/gemini/index.ts')).openGemini,
}

/** A coding agent on this machine, named `agent:client` or `agent:client:model`. */
export async function openAgentClient(
  { client, model }: { readonly client: AgentClientName; readonly model?: string },
  environment: Environment,
  silence?: number,
): Promise<AgentClient> {
  const open = await OPEN[client]()
  return open({
    environment: { ...environment, KEN_HOME: kenHome(environment) },
    home: environment['HOME'] || homedir(),
    folder: join(kenHome(environment), 'agent-clients'),
    redactor: secretRedactor,
    ...(model !== undefined && { model }),
    ...(silence !== undefined && { silence }),
  })
}
