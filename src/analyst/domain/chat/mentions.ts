/** Names in a question whose content is given to the model in full. */
export interface Mentions {
  /** After `@`: tables, stories, documents. */
  readonly at: readonly string[]
  /** After `/`: skills. */
  readonly slash: readonly string[]
}

const MOST = 50
// An address or a path has a letter before its sign; a mention follows a space, an opening bracket or a quote.
const MENTION = /(?<=^|[\s([{"'“‘,;:])([@/])(?:"([^"\n]{1,200})"|([\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,199}))/gu

/** In order, each once. False mentions are found out on look-up. */
export function mentionsIn(text: string): Mentions {
  const found = { '@': new Set<string>(), '/': new Set<string>() }
  for (const [, sign, quoted, bare] of text.matchAll(MENTION)) {
    const name = quoted ?? bare!.replace(/[.:/-]+$/, '')
    const names = found[sign as '@' | '/']
    if (name !== '' && names.size < MOST) names.add(name)
  }
  return { at: [...found['@']], slash: [...found['/']] }
}
