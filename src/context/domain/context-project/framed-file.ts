/** Version of the output format; changes whenever the same source would be written differently. */
export const GENERATOR = 'ken/3'

export interface FrameFacts {
  readonly source: string
  readonly item: string
  readonly fetchedAt: string
  readonly hash: string
  /** When the subject of the file last changed, if the source records that. */
  readonly dataChangedAt?: string | undefined
  /** The model that wrote the text; undefined if it comes from the source. */
  readonly model: string | undefined
  readonly stale: { readonly since: string; readonly reason: string } | undefined
}

/** Prepends frontmatter with the origin of a text. */
export function frame(body: string, facts: FrameFacts): string {
  const lines = [
    `generated_by: ${GENERATOR}`,
    `source: ${quoted(facts.source)}`,
    `item: ${quoted(facts.item)}`,
    `fetched_at: ${facts.fetchedAt}`,
    ...(facts.dataChangedAt === undefined ? [] : [`data_changed_at: ${facts.dataChangedAt}`]),
    `content_hash: ${facts.hash}`,
    `written_by: ${facts.model === undefined ? 'source' : 'model'}`,
    ...(facts.model === undefined ? [] : ['model_written: true', `model: ${quoted(facts.model)}`]),
    ...(facts.stale === undefined
      ? []
      : [`stale_since: ${facts.stale.since}`, `stale_because: ${quoted(facts.stale.reason)}`]),
  ]
  return `---\n${lines.join('\n')}\n---\n\n${body}`
}

/** The text after Ken's frontmatter; undefined if the file has none. */
export function unframe(text: string): string | undefined {
  if (!text.startsWith('---\ngenerated_by: ken/')) return undefined
  const end = text.indexOf('\n---\n\n')
  return end < 0 ? undefined : text.slice(end + 6)
}

/** A JSON string is a valid YAML string. */
const quoted = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) && !/^[\d.-]+$|^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text)
