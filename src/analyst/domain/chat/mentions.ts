/** Names mentioned in a question; the model gets the content of each in full. */
export interface Mentions {
  /** Names after `@`: tables, stories, documents. */
  readonly at: readonly string[]
  /** Names after `/`: skills. */
  readonly slash: readonly string[]
}

const MOST = 50
// In an address or a path, a letter precedes the @ sign; a mention follows a space, an opening bracket or a quote.
const MENTION = /(?<=^|[\s([{"'“‘,;:])([@/])(?:"([^"\n]{1,200})"|([\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,199}))/gu

/** Returns the mentions in order, each once. False mentions are detected on look-up. */
export function mentionsIn(text: string): Mentions {
  const found = { '@': new Set<string>(), '/': new Set<string>() }
  for (const [, sign, quoted, bare] of text.matchAll(MENTION)) {
    const name = quoted ?? bare!.replace(/[.:/-]+$/, '')
    const names = found[sign as '@' | '/']
    if (name !== '' && names.size < MOST) names.add(name)
  }
  return { at: [...found['@']], slash: [...found['/']] }
}
