/** Splits a record question from the context that follows it. */
export function partedQuestion(body: string): { readonly asked: string; readonly context: string | undefined } {
  const [, title, status, path] = IMPORTED.exec(body) ?? []
  if (title !== undefined)
    return { asked: `${title}: is this decided?`, context: `The status in \`${path}\` is "${status}".` }
  const at = body.lastIndexOf(BEFORE)
  if (at < 0 || !body.endsWith(')')) return { asked: body, context: undefined }
  return { asked: body.slice(0, at), context: body.slice(at + BEFORE.length, -1) }
}

const BEFORE = ' (context: '

/** A question for an imported ADR without a decision; its title comes first, which distinguishes it in a list. */
const IMPORTED = /^Is this decided: (.+)\? Its status is "([^"]*)"\. \(ADR (.+)\)$/s
