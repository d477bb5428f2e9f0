// Context that Codex sends as the user, each as a separate content item.
const NOISE_TAGS = [
  'environment_context',
  'user_instructions',
  'turn_aborted',
  'skill',
  'subagent_notification',
  'user_shell_command',
  'codex_internal_context',
  'goal_context',
  'hook_prompt',
]
const NOISE = new RegExp(`^\\s*(?:# AGENTS\\.md instructions|<(?:${NOISE_TAGS.join('|')})\\b)`)

// The editor extensions put open files and selections before the request, which is under the last of these headings.
const EDITOR_PREAMBLE = /^\s*# (?:Context from my IDE setup|Files mentioned by the user)\b/
const REQUEST_HEADING = /^## My request(?: for Codex)?:[ \t]*$/gm

export function isNoise(text: string): boolean {
  return NOISE.test(text)
}

/** The person's own words in a prompt. */
export function requestIn(text: string): string {
  if (!EDITOR_PREAMBLE.test(text)) return text
  const heading = [...text.matchAll(REQUEST_HEADING)].at(-1)
  return heading === undefined ? text : text.slice(heading.index + heading[0].length)
}
