/** Local coding agents that can answer as the analyst. */
export const AGENT_CLIENTS = ['claude-code', 'codex', 'opencode', 'gemini'] as const

export type AgentClientName = (typeof AGENT_CLIENTS)[number]

/** The optional part after the client is the model; it never looks like a flag. */
export const AGENT_NAME = `agent:(?:${AGENT_CLIENTS.join('|')})(?::[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199})?`

const WHOLE = new RegExp(`^${AGENT_NAME}$`)

/**
 * Parses a name: `agent:claude-code:opus` means Claude Code with its model `opus`. Undefined if the name has no known
 * client.
 */
export function readAgentName(name: string): { readonly client: AgentClientName; readonly model?: string } | undefined {
  if (!WHOLE.test(name)) return undefined
  const [, client, ...rest] = name.split(':')
  const model = rest.join(':')
  return { client: client as AgentClientName, ...(model !== '' && { model }) }
}
