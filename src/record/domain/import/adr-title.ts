import { type AdrNumber, SERIES } from '../../../kernel/domain/adr/adr-name.ts'
import { ellipsis, strip } from '../../../kernel/domain/text.ts'
import { plainText } from '../../../kernel/domain/text/markdown.ts'
import { LIMITS } from '../decision/screening.ts'

/** The title without number and series, in one line. Any letters count as series before the file's own number. */
export function cleanTitle(heading: string, own?: AdrNumber): string {
  const plain = plainText(heading)
  const ownLabel = own === undefined ? '(?!)' : `[a-z]{2,5}[-_ #]?0*${own.number}`
  const bare = plain
    .replace(new RegExp(`^\\[?${ownLabel}\\]?\\s*[.:)–—-]+\\s*`, 'i'), '')
    .replace(new RegExp(`^\\[?(?:${SERIES})[-_ #]*[0-9]+(?:\\]|\\s*[.:)–—-]|\\s)\\s*`, 'i'), '')
    .replace(new RegExp(`^(?:${SERIES})\\s*[.:–—-]+\\s*`, 'i'), '')
    .replace(/^(?:\[?[0-9]{1,5}\]?\s*[.:)–—-]+|[0-9]{3,5})\s+/, '')
  return ellipsis(strip(bare) || plain, LIMITS.title)
}
