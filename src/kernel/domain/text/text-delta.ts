/** Replacement of one range of a text; the rest is unchanged. */
export interface TextDelta {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Range in which two texts differ, or undefined if sending it would save little. */
export function deltaOf(before: string, after: string): TextDelta | undefined {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++
  let same = 0
  while (
    same < most - from &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++
  const text = after.slice(from, after.length - same)
  return text.length * 2 > after.length ? undefined : { from, to: before.length - same, text }
}

/** Undefined if it does not apply to the text. */
export const applyDelta = (before: string, { from, to, text }: TextDelta): string | undefined =>
  from <= to && to <= before.length ? before.slice(0, from) + text + before.slice(to) : undefined
