/** Splits a question of the record from its context, which follows it. */
export function partedQuestion(body: string): { readonly asked: string; readonly context: string | undefined } {
  const at = body.lastIndexOf(BEFORE)
  if (at < 0 || !body.endsWith(')')) return { asked: body, context: undefined }
  return { asked: body.slice(0, at), context: body.slice(at + BEFORE.length, -1) }
}

const BEFORE = ' (context: '
