import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LabelledDocument, LabelledPart, LabelledQuery } from './labelled-sets.ts'
import { whole } from './read-sets.ts'

/**
 * Pairs of records in which one superseded the other: the beginning of the new record is the query for the old one, and
 * the new record is not in the set.
 */
export function readSupersessions(path: string): LabelledPart[] {
  const records = readRecords(dirname(path))
  return pairsIn(path).flatMap(({ old, next }) => {
    const from = records.find((record) => record.path === next)
    const documents = records.filter((record) => record !== from)
    const relevant = new Set([documents.findIndex((record) => record.path === old)])
    return from === undefined || relevant.has(-1)
      ? []
      : [partOf(documents, [{ text: beginningOf(from.text), relevant }])]
  })
}

/** The same queries with the new record in the set: the old one should rank right below it. */
export function readSupersededBeside(path: string): LabelledPart[] {
  const records = readRecords(dirname(path))
  return [
    partOf(
      records,
      pairsIn(path).flatMap(({ old, next }) => {
        const from = records.find((record) => record.path === next)
        const at = records.findIndex((record) => record.path === old)
        return from === undefined || at < 0 ? [] : [{ text: beginningOf(from.text), relevant: new Set([at]) }]
      }),
    ),
  ]
}

/** Superseded records, queried by title: once unchanged, and once with the status in the frontmatter. */
export function readLaidAside(path: string): LabelledPart[] {
  const records = readRecords(dirname(path))
  const old = new Set(pairsIn(path).map((pair) => pair.old))
  const marked = records.map((record) =>
    old.has(record.path) || SUPERSEDED.test(record.text)
      ? whole(`---\nstatus: superseded\n---\n${withoutFrontmatter(record.text)}`, record.path)
      : record,
  )
  const wanted = records.flatMap((record, at) => (old.has(record.path) || SUPERSEDED.test(record.text) ? [at] : []))
  const queries = wanted.flatMap((at) => {
    const text = titleOf(records[at]!.text)
    return text === undefined ? [] : [{ text, relevant: new Set([at]) }]
  })
  return [partOf(records, queries), partOf(marked, queries)]
}

const SUPERSEDED =
  /^(?:#+ *status\s+|[-*] *status: *|status: *"?)\W{0,3}(?:superseded|rejected|deprecated|withdrawn|replaced)\b/im

/** Documents queried by their exact title; several documents may share a title. */
export const readTitles = (folder: string): LabelledPart[] => titled(folder, (title) => title)

export const readHowDoes = (folder: string): LabelledPart[] => titled(folder, (title) => `how does ${title} work`)

/** Documents queried by their title with a typo in its longest word. */
export const readTypos = (folder: string): LabelledPart[] =>
  titled(folder, (title, at) => {
    const word = [...title.matchAll(/[a-z]{5,}/gi)].map(([found]) => found).sort((a, b) => b.length - a.length)[0]
    return word === undefined ? undefined : title.replace(word, slip(word, at))
  })

/** Swaps two letters, or omits, doubles or replaces one. */
function slip(word: string, at: number): string {
  const place = 1 + ((at * 7) % (word.length - 2))
  const [before, letter, after] = [word.slice(0, place), word[place]!, word.slice(place + 1)]
  return [
    `${before}${after[0]}${letter}${after.slice(1)}`,
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${letter === 'e' ? 'r' : 'e'}${after}`,
  ][at % 4]!
}

function titled(folder: string, ask: (title: string, at: number) => string | undefined): LabelledPart[] {
  const records = readRecords(folder)
  const titles = records.map(({ text }) => titleOf(text))
  const queries = titles.flatMap((title, at) => {
    const text = title === undefined ? undefined : ask(title, at)
    if (text === undefined) return []
    return [{ text, relevant: new Set(titles.flatMap((other, i) => (other === title ? [i] : []))) }]
  })
  return [partOf(records, queries)]
}

interface AdrFile extends LabelledDocument {
  readonly path: string
}

const readRecords = (folder: string): AdrFile[] =>
  globSync('**/*.md', { cwd: folder })
    .sort()
    .map((path) => ({ ...whole(readFileSync(join(folder, path), 'utf8')), path }))

const pairsIn = (path: string): { old: string; next: string }[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { old: string; new: string })
    .map(({ old, new: next }) => ({ old, next }))

const partOf = (documents: readonly LabelledDocument[], queries: readonly LabelledQuery[]): LabelledPart => ({
  origin: 'document',
  extension: '.md',
  documents,
  queries,
})

const beginningOf = (text: string): string =>
  `${/^# +(.+)$/m.exec(text)?.[1] ?? ''} ${withoutFrontmatter(text).slice(0, 600)}`

/** The title without its leading number, which people do not type. */
const titleOf = (text: string): string | undefined =>
  /^# +(.+)$/m
    .exec(withoutFrontmatter(text))?.[1]!
    .replace(/^(?:ADR[- ]?)?\d*[.:)]? */i, '')
    .trim() || undefined

/** ADR bodies, queried by their title. */
export function readAdrTitles(folder: string): LabelledPart[] {
  const found = globSync('**/*.md', { cwd: folder })
    .sort()
    .flatMap((file) => {
      const text = withoutFrontmatter(readFileSync(join(folder, file), 'utf8'))
      const title = /^# +(.+)$/m.exec(text)
      const body = title ? text.slice(title.index + title[0].length).trim() : ''
      return title && body.length > 200 ? [{ title: title[1]!.replace(/^(ADR[- ]?)?\d*[.:)]? */i, ''), body }] : []
    })
  const documents = found.map(({ body }) => ({ ...whole(body), pieces: piecesOf(body) }))
  return [
    {
      origin: 'document',
      extension: '.md',
      documents,
      queries: found.map(({ title }, at) => ({ text: title, relevant: new Set([at]) })),
    },
  ]
}

function piecesOf(text: string): string[] {
  const pieces = ['']
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (pieces.at(-1)!.length + paragraph.length > 900) pieces.push('')
    pieces[pieces.length - 1] += `${paragraph}\n\n`
  }
  return pieces.filter((piece) => piece.trim())
}

const withoutFrontmatter = (text: string): string => text.replace(/^---\n.*?\n---\n/s, '')
