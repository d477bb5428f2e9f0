import { nameKey } from '../names/known-names.ts'
import { withoutComments } from './changed-share.ts'

// Four tokens in a row rarely match by chance; the beginning of a long file is enough.
const LENGTH = 4
const MOST_TOKENS = 2_000
/** Fewer matching stretches occur in many files. */
const LEAST = { sameName: 6, otherName: 24 }
const SHARE = { sameName: 0.5, otherName: 0.7 }

/** The stretches of code in a text, as numbers: words and signs in order, ignoring formatting. */
export function stretchesOf(path: string, text: string): ReadonlySet<number> {
  const found = new Set<number>()
  const last: string[] = []
  let count = 0
  for (const [token] of withoutComments(path, text.slice(0, MOST_TEXT)).matchAll(TOKEN)) {
    if (++count > MOST_TOKENS) break
    last.push(token)
    if (last.length > LENGTH) last.shift()
    if (last.length === LENGTH) found.add(numberOf(last.join(' ')))
  }
  return found
}

const MOST_TEXT = 100_000
const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$,;"'`(){}]/gu

/** FNV-1a. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Whether a file contains the code of a deleted one; the same name lowers the thresholds. */
export function isSameCode(
  { total, shared }: { readonly total: number; readonly shared: number },
  isSameName: boolean,
): boolean {
  const as = isSameName ? 'sameName' : 'otherName'
  return total >= LEAST[as] && shared >= total * SHARE[as]
}

/** A file name regardless of language: `Camera.cpp` and `camera.cc` have the same file name. */
export const bareName = (path: string): string => {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return nameKey(file.replace(/(?<=.)\.\w+$/, ''))
}

const FAMILIES = [
  /^[cm]?[jt]sx?$|^vue$|^svelte$/,
  /^(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)$/,
  /^(?:java|kts?|scala|groovy|gradle)$/,
  /^ya?ml$/,
]

/** The kind of code: code does not move unchanged from one language to another. */
export const familyOf = (path: string): string => {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const family = FAMILIES.findIndex((each) => each.test(extension))
  return family < 0 ? extension : String(family)
}
