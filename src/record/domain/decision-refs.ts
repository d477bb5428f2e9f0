/** Location of a reference: its line, and the frontmatter key if it is in one. */
export interface RefPlace {
  readonly line: string
  readonly key: 'supersedes' | 'superseded_by' | undefined
}

/** The new number of a reference; the same number leaves it unchanged. */
export type RenumberRef = (num: number, place: RefPlace) => number

// `D7`, `D007`, `decision-007`, `decision 70`; padding is kept.
const IN_TEXT = /(?<![\w-])(D|[Dd]ecision[- ])(0*)([1-9][0-9]*)(?!\w)/g
const IN_FRONTMATTER = /^((supersedes|superseded_by):\s*(['"]))([0-9]+)(\3.*)$/

/** Rewrites references to decisions in a record text: frontmatter, prose, and stamps of resolved questions. */
export function rewriteRefs(text: string, renumber: RenumberRef): string {
  const lines = text.split('\n')
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : 0
  return lines.map((line, at) => (at < end ? rewriteField(line, renumber) : rewriteProse(line, renumber))).join('\n')
}

/** Renumbers a decision file: its heading, and every reference to itself. */
export function renumberHeading(text: string, num: number): string {
  return text.replace(/^(#[^\S\n]+)[0-9]+([^\S\n]+—[^\S\n])/m, `$1${pad(num)}$2`)
}

/** Updates file names in a text after renames. */
export const renameStems = (text: string, stems: Iterable<readonly [from: string, to: string]>): string =>
  [...stems].reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text)

export const pad = (num: number): string => String(num).padStart(3, '0')

function rewriteField(line: string, renumber: RenumberRef): string {
  const [, before, key, , num, after] = IN_FRONTMATTER.exec(line) ?? []
  return key === undefined
    ? line
    : `${before}${renumber(Number(num), { line, key: key as 'supersedes' | 'superseded_by' })}${after}`
}

function rewriteProse(line: string, renumber: RenumberRef): string {
  return line.replace(IN_TEXT, (whole, prefix: string, zeros: string, digits: string) => {
    const num = renumber(Number(digits), { line, key: undefined })
    if (num === Number(digits)) return whole
    return `${prefix}${String(num).padStart(zeros === '' ? 0 : zeros.length + digits.length, '0')}`
  })
}
