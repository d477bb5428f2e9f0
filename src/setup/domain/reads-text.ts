/**
 * Coding agents, by their name in the handshake. Measured in docs/guides/agents.md: if they get data beside the text,
 * some show their model only the data and others show both. The text is written for the model and contains everything
 * once, so they get only the text.
 */
const CODING_AGENTS =
  /^(?:claude-code|claude-ai|claude-desktop|codex|opencode|gemini-cli|qwen|copilot|github[ -]copilot|cursor|visual studio code|vscode|windsurf|zed|cline|roo|kilo|goose|crush|amp|continue|junie|pi)(?![a-z])/i

/** Whether the client's model reads the text of answers; other clients get the data as well. */
export const readsText = (client: string | undefined): boolean => client !== undefined && CODING_AGENTS.test(client)
