/** Whether a text only states that there is nothing: how models fill in a field that should be empty. */
export const saysNothing = (text: string): boolean =>
  /^(?:none|null|nil|n\/?a|undefined|nothing|empty|no rule|\[\s*\]|\{\s*\}|[-–—]*)$/i.test(
    text
      .trim()
      .slice(0, LONGEST)
      .replaceAll(/^(?:```\w*|["'`(*_])+\s*|\s*(?:```|["'`)*_.!])+$/g, ''),
  )

// Longer texts say something; and the pattern stays cheap.
const LONGEST = 60
