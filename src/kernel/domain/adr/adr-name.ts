import { strip } from '../text.ts'
import { dateInName } from './adr-date.ts'

/** Number of an ADR: `ADR025` is number 25 of the series "adr", `0025-x.md` number 25 without one. */
export interface AdrNumber {
  readonly series: string
  readonly number: number
}

export const SERIES = 'adr|madr|dr|ad|pdr|tdr|edr|rfc|decision'
const HIGHEST = 9999

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')

/** Number in a file name; a leading date or year is not one. */
export function numberInName(stem: string): AdrNumber | undefined {
  if (dateInName(stem) !== undefined) return undefined
  const match = new RegExp(`^(?:(${SERIES})[-_ ]?)?0*([0-9]{1,5})(?=[-_. ]|$)`, 'i').exec(stem)
  return match === null ? undefined : toNumber(match[1], match[2]!)
}

/** Number at the start of a title: `12. Title`, `ADR-012: Title`. */
export function numberInTitle(title: string): AdrNumber | undefined {
  const match = new RegExp(`^\\[?(?:(${SERIES})[-_ #]*)?0*([0-9]{1,5})(?:\\]|\\s*(?:[.:)–—-]|$))`, 'i').exec(title)
  return match === null ? undefined : toNumber(match[1], match[2]!)
}

function toNumber(series: string | undefined, digits: string): AdrNumber | undefined {
  const number = Number(digits)
  if (number > HIGHEST || (series === undefined && number >= 1990 && number < 2100)) return undefined
  return { series: series?.toLowerCase() ?? '', number }
}

/** `0012-use-rust_api` → `Use rust api`; a name written as words stays unchanged. */
export function titleFromName(stem: string): string {
  const bare = stem.replace(
    new RegExp(`^(?:(?:${SERIES})[-_ ]?)?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]+)[-_. ]+`, 'i'),
    '',
  )
  const words = bare.includes(' ') ? bare : bare.replace(/[-_]+/g, ' ')
  return strip(words.charAt(0).toUpperCase() + words.slice(1))
}

/** Whether a file name is that of an ADR template. */
export const isTemplateName = (stem: string): boolean =>
  /^_*(?:[0-9]+[-_. ]*)?(?:m?adr|nygard|decision(?:[-_ ]record)?)?[-_. ]*template(?:[-_. ](?:long|short|bare|minimal|full|madr|nygard))*$/i.test(
    stem,
  )

/** Whether a title is a placeholder. */
export const isTemplateTitle = (title: string): boolean =>
  /^(?:[[{<].*[\]}>]|(?:short )?title|(?:m?adr|decision record) (?:template|title\b.*))$/i.test(title) ||
  /\b(?:short title of|title of the decision|representative of solved problem)\b/i.test(title)

/** Whether a file is an introduction to ADRs or a list of them, by its name. */
export const isIndexName = (stem: string): boolean =>
  /^_*(?:readme|index|toc|contents|about|summary|changelog|contributing)$/i.test(stem)
