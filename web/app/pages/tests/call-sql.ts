/** The SQL statement in a tool call's input, which may have been truncated when stored. */
export function sqlOfCall(input: string): string | undefined {
  const whole = parsed(input)
  if (typeof whole === 'object' && whole !== null && 'sql' in whole && typeof whole.sql === 'string') return whole.sql
  const [, cut] = /"sql"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(input) ?? []
  if (cut === undefined || whole !== undefined) return undefined
  // Half an escape sequence at the end would make the rest invalid.
  const read = parsed(`"${cut.replace(/…?$/, '').replace(/\\u[\da-f]{0,3}$/i, '')}"`)
  return typeof read === 'string' ? `${read}…` : undefined
}

/** Fields of a tool call's input; undefined if it was truncated when stored. */
export function callFields(input: string): object | undefined {
  const whole = parsed(input)
  return typeof whole === 'object' && whole !== null ? whole : undefined
}

const LONGEST_GLANCE = 200

/** A tool call's input in one line: its statement, otherwise its short fields. */
export function glanceOf(input: string): string {
  const fields = Object.entries(callFields(input) ?? {})
  const words = fields.flatMap(([name, value]) =>
    typeof value === 'object' || String(value).length > LONGEST_FIELD ? [] : [`${name}: ${String(value)}`],
  )
  return (sqlOfCall(input) ?? (words.length > 0 ? words.join(' · ') : input))
    .replaceAll(/\s+/g, ' ')
    .slice(0, LONGEST_GLANCE)
}

const LONGEST_FIELD = 60

/** Removes the envelope, which labels untrusted text for agents; a page labels it differently. */
export const resultText = (result: string): string => result.replaceAll(/<\/?ken-context[^<>]{0,300}>/g, '').trim()

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
