import { sha256 } from '../sha256.ts'
import { strip } from '../text.ts'

/** Equal for proposals that differ only in case and outer white space. */
export const duplicateHash = (title: string, rationale: string): string =>
  sha256(`${strip(title).toLowerCase()}|${strip(rationale).toLowerCase()}`)

/** Two active decisions may not share this. */
export const normalizeTitle = (title: string): string => strip(title).toLowerCase().replace(/\s+/g, ' ')
