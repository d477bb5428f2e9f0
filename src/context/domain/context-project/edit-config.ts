import { isAlias, isMap, isNode, isSeq, parseDocument, stringify, type Document, type Pair, type YAMLSeq } from 'yaml'
import { AppError } from '../../../kernel/domain/errors.ts'

/** Place of an entry: the key in ken.yaml, and whether it has a list. */
export interface EntryPlace {
  readonly key: string
  readonly entries: 'one' | 'list' | 'list or one'
}

type Values = Readonly<Record<string, unknown>>

/**
 * ken.yaml with one more entry. Every other byte stays if possible: comments, order, quotes and indentation are the
 * user's. The text was read by `readConfig` before, so it is bounded.
 */
export function addEntry(text: string, { key, entries }: EntryPlace, entry: Values): string {
  const document = parseDocument(text)
  const now = valueOf(document)
  const before = now[key]
  const isOne = typeof before === 'object' && before !== null && !Array.isArray(before)
  if (isAlias(pairOf(document, key)?.value)) throw byHand(key)
  const list = isOne ? [before, entry] : [...((before as readonly unknown[] | undefined) ?? []), entry]
  const wanted = { ...now, [key]: entries === 'one' ? entry : list }
  const spliced = isOne ? undefined : withSpliced(text, document, { key, entries }, entry)
  return firstThatHolds(wanted, key, [
    () => spliced,
    () => {
      const copy = parseDocument(text)
      const value = pairOf(copy, key)?.value
      if (entries === 'one' || value === undefined) copy.set(key, copy.createNode(entries === 'one' ? entry : [entry]))
      else if (isSeq(value)) value.add(copy.createNode(entry))
      else copy.set(key, copy.createNode(isOne ? [value, entry] : [entry]))
      return written(copy)
    },
  ])
}

/** ken.yaml without an entry; `at` is its index in the list. Comments on separate lines stay. */
export function removeEntry(text: string, key: string, at: number): string {
  const now = valueOf(parseDocument(text))
  const before = now[key]
  if (isAlias(pairOf(parseDocument(text), key)?.value)) throw byHand(key)
  const left = Array.isArray(before) ? before.filter((_, i) => i !== at) : []
  const { [key]: _gone, ...others } = now
  const wanted = left.length > 0 || key === 'databases' ? { ...now, [key]: left } : others
  return firstThatHolds(wanted, key, [
    () => withCut(text, key, at, left.length),
    () => {
      const copy = parseDocument(text)
      if (left.length > 0) copy.deleteIn([key, at])
      else if (key === 'databases') copy.set(key, copy.createNode([]))
      else copy.delete(key)
      return written(copy)
    },
  ])
}

/** Returns the first text that parses to the intended value; no other text is ever written. */
function firstThatHolds(wanted: Values, key: string, ways: readonly (() => string | undefined)[]): string {
  for (const way of ways) {
    const text = way()
    if (text === undefined) continue
    const document = parseDocument(text)
    if (document.errors.length === 0 && isSameValue(valueOf(document), wanted)) return text
  }
  throw byHand(key)
}

const byHand = (key: string): AppError =>
  new AppError('invalid_input', `Can’t change "${key}" in ken.yaml without affecting the rest of the file.`, {
    hint: 'Change it by hand.',
  })

function withSpliced(
  text: string,
  document: Document,
  { key, entries }: EntryPlace,
  entry: Values,
): string | undefined {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const pair = pairOf(document, key)
  const lines = (indent: string, dash: boolean): string => blockLines(entry, indent, dash).join(end)
  if (pair === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : end
    return `${text}${gap}${key}:${end}${lines('  ', entries !== 'one')}${end}`
  }
  const value = pair.value
  if (isSeq(value) && value.items.length > 0) {
    if (value.flow === true) return intoFlow(text, value, entry)
    const after = endOfLine(text, contentEnd(text, value))
    return `${text.slice(0, after)}${end}${lines(dashIndent(text, value), true)}${text.slice(after)}`
  }
  if (!isNode(pair.key)) return undefined
  const [from, to] = isNode(value) && value.range ? value.range : [pair.key.range![1], pair.key.range![1]]
  // An empty value is placed after the comments of its key.
  const kept = from === to ? text : `${text.slice(0, from).trimEnd()}${text.slice(to)}`
  const after = endOfLine(kept, pair.key.range![1])
  return `${kept.slice(0, after)}${end}${lines('  ', true)}${kept.slice(after)}`
}

function intoFlow(text: string, list: YAMLSeq, entry: Values): string {
  const close = text.lastIndexOf(']', list.range![1] - 1)
  const before = text.slice(0, close).trimEnd()
  const inline = stringify(entry, { lineWidth: 0, collectionStyle: 'flow' }).trim()
  return `${before}${before.endsWith(',') ? '' : ','} ${inline}${text.slice(before.length)}`
}

function withCut(text: string, key: string, at: number, left: number): string | undefined {
  const pair = pairOf(parseDocument(text), key)
  if (pair === undefined || !isNode(pair.key)) return undefined
  const { value } = pair
  const keyStart = startOfLine(text, pair.key.range![0])
  if (isMap(value)) return cut(text, keyStart, contentEnd(text, value))
  if (!isSeq(value)) return undefined
  if (value.flow === true) return left > 0 ? undefined : cut(text, keyStart, contentEnd(text, value))
  const item = value.items[at]
  if (!isNode(item)) return undefined
  const from = startOfLine(text, text.lastIndexOf('-', item.range![0]))
  const rest = cut(text, from, contentEnd(text, item))
  if (left > 0) return rest
  const keyEnd = pair.key.range![1]
  if (key !== 'databases') return cut(rest, keyStart, keyEnd)
  return `${rest.slice(0, keyEnd)}: []${rest.slice(keyEnd).replace(/^[ \t]*:/, '')}`
}

function cut(text: string, from: number, to: number): string {
  const end = endOfLine(text, to)
  return end === text.length
    ? text.slice(0, from).replace(/\r?\n$/, '')
    : text.slice(0, from) + text.slice(end).replace(/^\r?\n/, '')
}

function blockLines(entry: Values, indent: string, dash: boolean): string[] {
  const lines = stringify(entry, { lineWidth: 0 }).trimEnd().split('\n')
  return lines.map((line, i) => `${indent}${dash ? (i === 0 ? '- ' : '  ') : ''}${line}`)
}

/** End of a node without trailing space. */
const contentEnd = (text: string, { range }: { readonly range?: readonly number[] | null | undefined }): number =>
  text.slice(0, range?.[1] ?? 0).trimEnd().length

function dashIndent(text: string, { items }: YAMLSeq): string {
  const [first] = items
  const dash = isNode(first) ? text.lastIndexOf('-', first.range![0]) : 0
  return /^[ \t]*/.exec(text.slice(startOfLine(text, dash), dash))![0]
}

const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

function endOfLine(text: string, at: number): number {
  const next = text.indexOf('\n', at)
  const end = next < 0 ? text.length : next
  return text[end - 1] === '\r' && end > at ? end - 1 : end
}

function pairOf(document: Document, key: string): Pair | undefined {
  const { contents } = document
  return isMap(contents)
    ? contents.items.find((pair) => (isNode(pair.key) ? pair.key.toJSON() : pair.key) === key)
    : undefined
}

const written = (document: Document): string => document.toString({ lineWidth: 0, flowCollectionPadding: true })

const valueOf = (document: Document): Values => (document.toJS() as Values | null) ?? {}

/** Whether two values are equal, ignoring order. */
export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .toSorted(([x], [y]) => (x < y ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
