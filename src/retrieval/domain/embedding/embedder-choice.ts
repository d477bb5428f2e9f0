/** The schema of the search.embedder setting for the defined embedder names; rejects any other embedder. */
export function embedderForm(names: readonly string[]) {
  const written = names.map((name) => (name.includes(':') ? `${kindOf(name)}:\\S{1,200}` : name))
  return {
    pattern: new RegExp(`^(?:${written.join('|')})$`),
    fault: `takes ${oneOf(names)}`,
    hint: 'List downloadable models with `ken models`.',
  }
}

/** `ollama:nomic-embed-text:v1.5` names the model `nomic-embed-text:v1.5` of Ollama. */
export function readEmbedderChoice(text: string): { readonly kind: string; readonly model: string } {
  const kind = kindOf(text)
  return { kind, model: text.slice(kind.length + 1) }
}

/** The part before the colon, in a choice or in an embedder's name. */
export const kindOf = (text: string): string => text.split(':', 1)[0]!

/** `a, b or c`. */
export const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
