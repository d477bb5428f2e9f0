import { folderOf, numberInName, numberInTitle, stemOf, type AdrNumber } from './adr-name.ts'

/** Reference to another ADR: by link, by number, or both. */
export interface AdrRef {
  /** Text as written in the source, for people. */
  readonly text: string
  /** Target of its link; undefined for a bare number. */
  readonly target: string | undefined
  readonly number: AdrNumber | undefined
}

// Lengths are bounded: a page of brackets must not take minutes.
const WIKI = '\\[\\[(?<wiki>[^\\]|\\n]{1,300})(?:\\|[^\\]\\n]{0,300})?\\]\\]'
const LINK = '\\[(?<label>[^\\]\\n]{0,300})\\]\\((?<target>\\{\\{[^}\\n]{0,300}\\}\\}|[^()\\s]{0,500})[^)\\n]{0,300}\\)'
const NAMED = '\\b(?<series>adr|madr|dr|ad|pdr|tdr|edr|rfc|decision)[-_ #]*(?<number>[0-9]{1,5})\\b'
const STEM = '\\b(?<stem>[0-9]{3,4}-[a-z0-9][\\w.-]*)'

/** All references in a text, in order. A bare number counts only at the very start. */
export function refsIn(text: string): AdrRef[] {
  const refs = [...text.matchAll(new RegExp([WIKI, LINK, STEM, NAMED].join('|'), 'gi'))].flatMap(
    (match) => toRef(match) ?? [],
  )
  if (refs.length > 0) return refs
  const bare = /^\s*#?0*([0-9]{1,4})\b(?![-/])/.exec(text)
  return bare === null
    ? []
    : [{ text: bare[0].trim(), target: undefined, number: { series: '', number: Number(bare[1]) } }]
}

function toRef(match: RegExpExecArray): AdrRef | undefined {
  const { wiki, label, target, series, number, stem } = match.groups!
  if (wiki !== undefined) return { text: wiki, target: wiki, number: numberInName(stemOf(`${wiki}.md`)) }
  if (stem !== undefined)
    return { text: stem, target: stem, number: numberInName(stemOf(`${stem.replace(/\.md$/i, '')}.md`)) }
  if (series !== undefined)
    return { text: match[0], target: undefined, number: { series: series.toLowerCase(), number: Number(number) } }
  if (target === undefined || label === undefined) return undefined
  const place = /["']([^"']+)["']/.exec(target)?.[1] ?? target
  return {
    text: label,
    target: place,
    number: numberInTitle(label) ?? refsIn(label)[0]?.number ?? numberInName(stemOf(withoutAnchor(place))),
  }
}

export const distinctRefs = (refs: readonly AdrRef[]): AdrRef[] => [
  ...new Map(refs.map((ref) => [JSON.stringify([ref.target, ref.number]), ref])).values(),
]

const withoutAnchor = (target: string): string => target.replace(/[#?].*$/, '')

export interface Addressable {
  readonly path: string
  readonly number: AdrNumber | undefined
  /**
   * All references in the file. They distinguish two files with the same number: a reference refers to the one that
   * links back.
   */
  readonly links: readonly AdrRef[]
}

export type Resolution = { readonly path: string } | { readonly fault: string }

/** Resolves a reference in `from` to a file. */
export function resolveRef(ref: AdrRef, from: string, files: readonly Addressable[]): Resolution {
  const linked = ref.target === undefined ? [] : byTarget(ref.target, from, files)
  if (linked.length === 1) return { path: linked[0]!.path }
  if (linked.length === 0 && isExternal(ref)) return { fault: `"${ref.text}", which is outside this folder` }
  const candidates = linked.length > 1 ? linked : byNumber(ref.number, files)
  if (candidates.length === 0) return { fault: `"${ref.text}", which is not in this folder` }
  const beside = narrow(candidates, (file) => folderOf(file.path) === folderOf(from))
  const mutual = narrow(
    beside,
    (file) =>
      file.path !== from &&
      file.links.some((back) => byTarget(back.target ?? '', file.path, files).some((hit) => hit.path === from)),
  )
  if (mutual.length === 1) return { path: mutual[0]!.path }
  return { fault: `"${ref.text}", which could be ${mutual.map((file) => file.path).join(' or ')}` }
}

export const isExternal = (ref: AdrRef): boolean => /^[a-z]+:\/\//i.test(ref.target ?? '')

/**
 * Files matching a link target: the longest path suffix shared with the target wins, so that web site links work too.
 */
function byTarget(target: string, from: string, files: readonly Addressable[]): readonly Addressable[] {
  const wanted = pathKey(withoutAnchor(target)).replace(/^[a-z]+:\/\/[^/]*/, '')
  const beside = pathKey(`${folderOf(from)}/${wanted}`)
  const exact = files.filter((file) => pathKey(file.path) === beside.replace(/^\//, ''))
  if (exact.length > 0 || wanted === '') return exact
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  for (let i = 0; i < parts.length; i++) {
    const tail = `/${parts.slice(i).join('/')}`
    const hits = files.filter((file) => `/${pathKey(file.path)}`.endsWith(tail))
    if (hits.length > 0) return hits
  }
  return []
}

function pathKey(path: string): string {
  const parts: string[] = []
  for (const part of decoded(path)
    .toLowerCase()
    .replace(/\.(?:md|markdown|mdx|html)$/, '')
    .split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function byNumber(wanted: AdrNumber | undefined, files: readonly Addressable[]): readonly Addressable[] {
  if (wanted === undefined) return []
  const sameNumber = files.filter((file) => file.number?.number === wanted.number)
  return narrow(sameNumber, (file) => file.number?.series === wanted.series)
}

/** Matching items, or all if none matches. */
function narrow<T>(items: readonly T[], fits: (item: T) => boolean): readonly T[] {
  const fitting = items.filter(fits)
  return fitting.length > 0 ? fitting : items
}
