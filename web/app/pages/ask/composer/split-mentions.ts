/** A text in pieces, with what names a table, a document or a skill apart. */
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

// As `mentionsIn` reads them, without the signs that end a sentence. A lone `/path/to` is not what people call a skill.
const MENTION =
  /(?<=^|[\s([{"'“‘,;:])(?:@(?:"[^"\n]{1,200}"|[\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,198}[\p{L}\p{N}_])|\/[\p{L}\p{N}_][\p{L}\p{N}_-]{0,99})(?=$|[\s)\]},;:.!?"'”’])/gu

/** What is being named where the cursor stands: the sign and the words behind it. */
export function namingAt(
  before: string,
): { readonly sign: '@' | '/'; readonly words: string; readonly from: number } | undefined {
  const found = /(?:^|[\s([{"'“‘,;:])([@/])("?)([^\s"]{0,80})$/u.exec(before)
  if (found === null) return undefined
  const [, sign, quote, words] = found
  return { sign: sign as '@' | '/', words: words!, from: before.length - words!.length - quote!.length - 1 }
}
