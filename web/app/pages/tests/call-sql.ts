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

/** A tool call's input, formatted for reading. */
export function callText(input: string): string {
  const whole = parsed(input)
  return whole === undefined ? input : JSON.stringify(whole, undefined, 2)
}

/** Removes the envelope, which labels untrusted text for agents; a page labels it differently. */
export const resultText = (result: string): string => result.replaceAll(/<\/?ken-context[^<>]{0,300}>/g, '').trim()

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
