/** Splits a text into mentions of tables, documents or skills, and the text between. */
export function splitMentions(text: string): readonly { readonly text: string; readonly isMention: boolean }[] {
  const pieces: { text: string; isMention: boolean }[] = []
  let from = 0
  for (const found of text.matchAll(MENTION)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), isMention: false })
    pieces.push({ text: found[0], isMention: true })
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isMention: false })
  return pieces
}

// As parsed by `mentionsIn`, without the punctuation that ends a sentence. A lone `/path/to` is not a skill.
const MENTION =
  /(?<=^|[\s([{"'“‘,;:])(?:@(?:"[^"\n]{1,200}"|[\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,198}[\p{L}\p{N}_])|\/[\p{L}\p{N}_][\p{L}\p{N}_-]{0,99})(?=$|[\s)\]},;:.!?"'”’])/gu

/** The mention being typed at the cursor: the sign and the words after it. */
export function namingAt(
  before: string,
): { readonly sign: '@' | '/'; readonly words: string; readonly from: number } | undefined {
  const found = /(?:^|[\s([{"'“‘,;:])([@/])("?)([^\s"]{0,80})$/u.exec(before)
  if (found === null) return undefined
  const [, sign, quote, words] = found
  return { sign: sign as '@' | '/', words: words!, from: before.length - words!.length - quote!.length - 1 }
}
