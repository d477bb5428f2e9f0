/** The statement in what a tool was called with; what is kept of a call may have been cut in the middle. */
export function sqlOfCall(input: string): string | undefined {
  const whole = parsed(input)
  if (typeof whole === 'object' && whole !== null && 'sql' in whole && typeof whole.sql === 'string') return whole.sql
  const [, cut] = /"sql"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(input) ?? []
  if (cut === undefined || whole !== undefined) return undefined
  // Half an escape at the end would make the rest unreadable.
  const read = parsed(`"${cut.replace(/…?$/, '').replace(/\\u[\da-f]{0,3}$/i, '')}"`)
  return typeof read === 'string' ? `${read}…` : undefined
}

/** What a tool was called with, laid out for reading. */
export function callText(input: string): string {
  const whole = parsed(input)
  return whole === undefined ? input : JSON.stringify(whole, undefined, 2)
}

/** It says to agents whose words these are; a page says it in another way. */
export const resultText = (result: string): string => result.replaceAll(/<\/?ken-context[^<>]{0,300}>/g, '').trim()

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
