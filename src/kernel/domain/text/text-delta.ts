/** What one stretch of a text became; all around it stayed. */
export interface TextDelta {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The stretch in which two texts differ, or undefined where sending it would save little. */
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

/** Undefined where it does not fit the text. */
export const applyDelta = (before: string, { from, to, text }: TextDelta): string | undefined =>
  from <= to && to <= before.length ? before.slice(0, from) + text + before.slice(to) : undefined
