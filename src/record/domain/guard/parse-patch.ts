import type { Changed } from './added-lines.ts'

export interface Lines extends Pick<Changed, 'added' | 'removed'> {
  readonly cut: boolean
}

interface Section extends Pick<Changed, 'path' | 'status' | 'previousPath'> {
  readonly added: { line: number; text: string }[]
  readonly removed: string[]
  cut: boolean
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * The added and removed lines of a patch without context, by path. If the patch is cut, its last file is marked as cut.
 */
export function parsePatch(patch: string, cut: boolean): Map<string, Lines> {
  const sections = sectionsIn(patch)
  if (cut && sections.length > 0) sections.at(-1)!.cut = true
  return new Map(sections.map(({ path, added, removed, cut: isCut }) => [path, { added, removed, cut: isCut }]))
}

/** The changed files of a diff in `git diff` format, with or without context; a file without lines is left out. */
export const filesInDiff = (diff: string): readonly (Section & Changed)[] => sectionsIn(diff)

function sectionsIn(patch: string): Section[] {
  const sections: Section[] = []
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
    } else if ((removedLeft > 0 || addedLeft > 0) && /^(?: |\r?$)/.test(line)) {
      removedLeft--
      addedLeft--
      lineNumber++
    } else if (line.startsWith('--- ')) from = nameIn(line)
    else if (line.startsWith('+++ ')) {
      const to = nameIn(line)
      section = { ...namesOf(from, to), added: [], removed: [], cut: false }
      sections.push(section)
    } else {
      const [, removed, start, added] = HUNK.exec(line) ?? []
      if (start === undefined) continue
      ;[removedLeft, addedLeft, lineNumber] = [Number(removed ?? 1), Number(added ?? 1), Number(start)]
    }
  }
  return sections
}

function namesOf(from: string, to: string): Pick<Section, 'path' | 'status' | 'previousPath'> {
  const [before, after] = [from.slice(2), to.slice(2)]
  if (to === '/dev/null') return { path: before, status: 'deleted', previousPath: undefined }
  if (from === '/dev/null') return { path: after, status: 'added', previousPath: undefined }
  return before === after
    ? { path: after, status: 'modified', previousPath: undefined }
    : { path: after, status: 'renamed', previousPath: before }
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
