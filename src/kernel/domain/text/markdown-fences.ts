import { strip } from '../text.ts'

/** A line that opens a code fence. */
export interface FenceOpening {
  /** The run of at least three backticks or tildes. */
  readonly mark: string
  /** White space before the mark; `info` is the text after it. */
  readonly indent: string
  readonly info: string
}

/** Readers differ: each decides which indent and info it accepts. */
export function fenceOpening(line: string): FenceOpening | undefined {
  const [, indent, mark, info] = /^([ \t]*)(`{3,}|~{3,})(.*)$/s.exec(line) ?? []
  return mark === undefined ? undefined : { mark, indent: indent!, info: info! }
}

/** Whether a trimmed line closes a fence: it consists of the mark's character, at least as often. */
export const closesFence = (trimmed: string, mark: string): boolean =>
  trimmed.length >= mark.length && trimmed === mark.charAt(0).repeat(trimmed.length)

/** For every line, whether it is outside code fences. An unclosed fence covers the rest. */
export function outsideFences(lines: readonly string[]): boolean[] {
  return followFences(lines).outside
}

/** Whether the text ends inside a code fence, so that anything appended would be read as code. */
export const endsInsideFence = (text: string): boolean => followFences(text.split('\n')).left !== undefined

/** Closes a fence that is open at the end of the text. */
export function closeFence(text: string): string {
  const { left } = followFences(text.split('\n'))
  return left === undefined ? text : `${text}\n${left}`
}

/**
 * Follows fences as the decision format defines them: at any indent, with any info, closed by at least three of their
 * character, regardless of the number that opened them. `left` is the mark of an unclosed fence.
 */
function followFences(lines: readonly string[]): { outside: boolean[]; left: string | undefined } {
  let left: string | undefined
  const outside = lines.map((line) => {
    const text = strip(line)
    if (left === undefined) {
      left = fenceOpening(text)?.mark
      return left === undefined
    }
    if (closesFence(text, left.slice(0, 3))) left = undefined
    return false
  })
  return { outside, left }
}
