/** Whether a text is a filler such as "none" or "n/a", which models write into fields that should be empty. */
export const saysNothing = (text: string): boolean =>
  /^(?:none|null|nil|n\/?a|undefined|nothing|empty|no rule|\[\s*\]|\{\s*\}|[-–—]*)$/i.test(
    text
      .trim()
      .slice(0, LONGEST)
      .replaceAll(/^(?:```\w*|["'`(*_])+\s*|\s*(?:```|["'`)*_.!])+$/g, ''),
  )

// Longer texts are not fillers, and the limit keeps the pattern cheap.
const LONGEST = 60
