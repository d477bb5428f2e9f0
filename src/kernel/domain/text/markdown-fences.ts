import { strip } from '../text.ts'

/** A line that opens a code fence. */
export interface FenceOpening {
  /** The run of at least three backticks or tildes. */
  readonly mark: string
  /** The white space before it, and what follows it. */
  readonly indent: string
  readonly info: string
}

/** Readers differ in what they accept: each of them says which indent and info it takes for a fence. */
export function fenceOpening(line: string): FenceOpening | undefined {
  const [, indent, mark, info] = /^([ \t]*)(`{3,}|~{3,})(.*)$/s.exec(line) ?? []
  return mark === undefined ? undefined : { mark, indent: indent!, info: info! }
}

/** Whether a line, without the white space around it, closes a fence: the mark's character alone, at least as often. */
export const closesFence = (trimmed: string, mark: string): boolean =>
  trimmed.length >= mark.length && trimmed === mark.charAt(0).repeat(trimmed.length)

/** For every line, whether it lies outside code fences. An unclosed fence swallows the rest. */
export function outsideFences(lines: readonly string[]): boolean[] {
  return followFences(lines).outside
}

/** True when the text ends inside a code fence, so that whatever is written after it would be read as code. */
export const endsInsideFence = (text: string): boolean => followFences(text.split('\n')).left !== undefined

/** The text with the fence closed that it ends inside. */
export function closeFence(text: string): string {
  const { left } = followFences(text.split('\n'))
  return left === undefined ? text : `${text}\n${left}`
}

/**
 * As the format of decisions defines fences: at any indent, with any info, closed by three of their character however
 * many opened them. `left`: the mark of the fence that nothing closed.
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
