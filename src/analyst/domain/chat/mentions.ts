/** What a person named in a question so that it is put before the model whole. */
export interface Mentions {
  /** Behind `@`: tables, stories, documents. */
  readonly at: readonly string[]
  /** Behind `/`: skills. */
  readonly slash: readonly string[]
}

const MOST = 50
// An address or a path has a letter before its sign; a mention stands alone or behind an opening bracket or quote.
const MENTION = /(?<=^|[\s([{"'“‘,;:])([@/])(?:"([^"\n]{1,200})"|([\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,199}))/gu

/** In the order they were written, each once. What is no mention after all is found out when it is looked up. */
export function mentionsIn(text: string): Mentions {
  const found = { '@': new Set<string>(), '/': new Set<string>() }
  for (const [, sign, quoted, bare] of text.matchAll(MENTION)) {
    const name = quoted ?? bare!.replace(/[.:/-]+$/, '')
    const names = found[sign as '@' | '/']
    if (name !== '' && names.size < MOST) names.add(name)
  }
  return { at: [...found['@']], slash: [...found['/']] }
}
