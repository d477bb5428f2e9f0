import { withoutTagged } from '../../domain/session/injected.ts'

// Tags that Claude Code, its hooks and its editor extensions add to a person's words.
const INJECTED_TAGS = [
  'system-reminder',
  'user-prompt-submit-hook',
  'session-start-hook',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
]

// Client actions recorded as user messages.
const NOISE_TAG =
  /^<(?:local-command-(?:caveat|stdout|stderr)|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|task-notification)\b/
const NOISE_TEXT = /^(?:\[Request interrupted by user|Caveat: The messages below were generated)/

/** The person's own words in a text block; undefined if the client wrote the block. */
export function humanText(text: string): string | undefined {
  const words = INJECTED_TAGS.reduce((rest, tag) => withoutTagged(rest, tag), text).trim()
  return NOISE_TAG.test(words) || NOISE_TEXT.test(words) ? undefined : words
}
