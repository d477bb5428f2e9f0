const LONGEST = 300

/** Escapes a text for Markdown, so that it contains no mention, no link and no markup. */
export function plainMarkdown(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line
  return (
    short
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]()#+!|~$^=:-]/g, '\\$&')
      // A person, an issue, a commit or an address would be linked, and notified. A zero-width space as an entity: the
      // character itself would be shown as an escape.
      .replaceAll(/@|\\#|\bGH(?=\\-)|www(?=\.)|\\:(?=\/\/)|[0-9a-f]{7}(?=[0-9a-f]*)/gi, '$&&#8203;')
  )
}

/** A code block that its text cannot close. Invisible characters, which could reorder the text, are replaced. */
export function codeBlock(language: string, lines: readonly string[]): string[] {
  const text = lines.map((line) => line.toWellFormed().replaceAll(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}'))
  const longest = Math.max(2, ...text.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...text, fence]
}
