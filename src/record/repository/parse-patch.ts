import type { ChangedFile } from '../ports/repository.ts'

export type Lines = Pick<ChangedFile, 'added' | 'removed' | 'cut'>

interface Section {
  readonly added: { line: number; text: string }[]
  readonly removed: string[]
  cut: boolean
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * The added and removed lines of a patch without context, by path. If the patch is cut, its last file is marked as cut.
 */
export function parsePatch(patch: string, cut: boolean): Map<string, Lines> {
  const sections = new Map<string, Section>()
  let section: Section | undefined
  let from = ''
  let [removedLeft, addedLeft, lineNumber] = [0, 0, 0]
  for (const line of linesOf(patch)) {
    // Hunks are read by their counts: a removed line "-- a/x" looks like the header "--- a/x".
    if (removedLeft > 0 && line.startsWith('-')) {
      removedLeft--
      if (section !== undefined && fits(section, section.removed, line)) section.removed.push(bounded(line.slice(1)))
    } else if (addedLeft > 0 && line.startsWith('+')) {
      addedLeft--
      if (section !== undefined && fits(section, section.added, line))
        section.added.push({ line: lineNumber, text: bounded(line.slice(1)) })
      lineNumber++
    } else if (line.startsWith('--- ')) from = nameIn(line)
    else if (line.startsWith('+++ ')) {
      const to = nameIn(line)
      section = { added: [], removed: [], cut: false }
      sections.set(to === '/dev/null' ? from.slice(2) : to.slice(2), section)
    } else {
      const [, removed, start, added] = HUNK.exec(line) ?? []
      if (start === undefined) continue
      ;[removedLeft, addedLeft, lineNumber] = [Number(removed ?? 1), Number(added ?? 1), Number(start)]
    }
  }
  if (cut && section !== undefined) section.cut = true
  return sections
}

/** Whether there is room for one more line; marks the section as cut if something is left out. */
function fits(section: Section, lines: readonly unknown[], line: string): boolean {
  const isFull = lines.length >= MOST_LINES
  section.cut ||= isFull || line.length > LONGEST_LINE
  return !isFull
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    yield text.slice(at, end < 0 ? text.length : end)
    at = end < 0 ? text.length : end + 1
  }
}

/**
 * The name in a `---` or `+++` line: quoted if it contains control characters, followed by a tab if it contains spaces.
 */
function nameIn(line: string): string {
  const name = line.slice(4).replace(/\t$/, '')
  if (!name.startsWith('"')) return name
  return name
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) =>
      octal === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(parseInt(octal, 8)),
    )
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

/** More lines in one file mean generated code or data; reading on would cost memory and find nothing. */
export const MOST_LINES = 5_000
export const LONGEST_LINE = 2_000

/** A line without its carriage return, cut if it is longer than any person would write. */
export const bounded = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, LONGEST_LINE)
