/**
 * Makes exported Markdown safe for an unknown renderer: opening it loads nothing and no link hides its target. Images
 * and external links are replaced by their source text, HTML becomes text, and so do reference definitions for
 * addresses. Code stays unchanged, and line ends become `\n`. Idempotent.
 *
 * Matches everything that any renderer could take for an image: if renderers may differ on whether something is code,
 * it is treated as text.
 */
export function inertMarkdown(text: string): string {
  let fence: string | undefined
  let hasOpenTicks = false
  let isInHtml = false
  return text
    .split(/\r\n?|\n/)
    .map((line) => {
      if (fence !== undefined) {
        if (new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`).test(line)) fence = undefined
        return line
      }
      // A fence within a list or a quote ends with that block, so only an unindented one is certain.
      const opening = /^(`{3,}|~{3,})([^`]*)$/.exec(line)
      if (opening !== null) {
        fence = opening[1]!
        hasOpenTicks = false
        // Only an empty line ends a block of HTML, in which a fence has no meaning.
        const before = isInHtml ? '\n' : ''
        isInHtml = false
        return `${before}${fence}${plainLanguage(opening[2]!)}`
      }
      if (/^[ \t]*$/.test(line)) [hasOpenTicks, isInHtml] = [false, false]
      isInHtml ||= beginsHtml(line)
      const parts = hasOpenTicks || isInHtml || /\\`|\|/.test(line) ? undefined : codeSpans(line)
      if (parts === undefined) hasOpenTicks ||= line.includes('`')
      return parts?.map((part, i) => (i % 2 === 1 ? part : inertLine(part))).join('') ?? inertLine(line)
    })
    .join('\n')
}

/** Drops languages that some renderers draw, loading resources named in the code. */
const plainLanguage = (info: string): string =>
  /^[ \t]*(?:bash|c|cpp|cs|css|csv|diff|go|html|ini|java|javascript|js|json|jsx|kotlin|lua|markdown|md|php|plain|ps1|py|python|r|rb|ruby|rust|rs|scala|sh|shell|sql|swift|text|toml|ts|tsx|txt|typescript|xml|yaml|yml|zsh)?[ \t]*$/i.test(
    info,
  )
    ? info
    : ''

/** Alternating text and code; undefined if a run of backticks is left over, which a later line may close. */
function codeSpans(line: string): readonly string[] | undefined {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }))
  const places = Map.groupBy(runs, ({ length }) => length)
  // Counted, not removed: removing the first of many takes time in proportion to the rest.
  const passed = new Map<number, number>()
  const parts: string[] = []
  let from = 0
  for (const run of runs) {
    if (run.index < from) continue
    // Some renderers mistake backticks for the end of a directly preceding address.
    if (/\S/.test(line[run.index - 1] ?? ' ')) return undefined
    const alike = places.get(run.length)!
    let next = passed.get(run.length) ?? 0
    while (next < alike.length && alike[next]!.index <= run.index) next++
    const close = alike[next]
    passed.set(run.length, next + 1)
    if (close === undefined) return undefined
    parts.push(line.slice(from, run.index), line.slice(run.index, close.index + close.length))
    from = close.index + close.length
  }
  return [...parts, line.slice(from)]
}

// Tags used in stories, with no attribute that a browser would load.
const OWN_TAG =
  /^<(?:chart|table|grid)(?:\s+(?:by|chart_type|cols|columns|kind|limit|query|query_id|series|series_by|title|type|value|x|x_axis|x_axis_key|y)=(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'))*\s*\/?>|^<\/grid>/
// Links from numbers to their query, and to places within the same folder.
const OWN_PLACE = /^\]\((?:q_[0-9a-f]{12}\.[\w.]{1,200}|(?!\/)[\w./#-]{1,200})\)/

/** Whether a block of HTML may begin with this line, also within a list or a quote. */
const beginsHtml = (line: string): boolean => {
  const start = line.search(/[^\s>*+\-\d.)]/)
  return start >= 0 && OWN_TAG.test(line.slice(start, start + 4_000))
}

function inertLine(line: string): string {
  return line.replaceAll(/!\[|\]\(|\]:|<(?=[a-z/!?])/gi, (found, at: number) => {
    if (found === '<') return OWN_TAG.test(line.slice(at, at + 4_000)) ? found : '&lt;'
    if (found === '](') return OWN_PLACE.test(line.slice(at, at + 300)) ? found : ']\\('
    return found === '![' ? '!\\[' : ']\\:'
  })
}
