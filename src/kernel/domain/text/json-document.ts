import { createScanner, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { AppError } from '../errors.ts'

/** JSON text with positions; comments and trailing commas are allowed. */
export interface JsonDocument {
  readonly text: string
  /** Undefined for a text without a value. */
  readonly root: Node | undefined
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
  /** Everything is on one line, so additions are written on it too. */
  readonly oneLine: boolean
}

export function readJson(text: string): JsonDocument {
  if (text.length > LONGEST) throw new AppError('damaged', 'it is larger than 16 MB')
  if (isTooDeep(text)) throw new AppError('damaged', `it is nested more than ${DEEPEST} levels deep`)
  const errors: ParseError[] = []
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [fault] = errors
  if (fault !== undefined) throw malformed(text, fault)
  if (root !== undefined && root.type !== 'object')
    throw new AppError('damaged', 'it contains a list or plain value instead of an object')
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const body = text.trim()
  return { text, root, eol, unit: unitOf(text, root), oneLine: !body.includes('\n') && /[^{}\s\uFEFF]/.test(body) }
}

const LONGEST = 16 * 1024 * 1024
const DEEPEST = 200

/** Checks the depth in advance, because the parser recurses for every level. */
function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true)
  let depth = 0
  for (let kind = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    if (kind === TOKEN.openBrace || kind === TOKEN.openBracket) depth++
    else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) depth--
    if (depth > DEEPEST) return true
  }
  return false
}

/** Token kinds of the scanner, which exports them only as a const enum that cannot be imported. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 }

/** Value node under a path of keys; if a key is duplicated, the last one counts, as in every parser. */
export function nodeAt(document: JsonDocument, path: readonly string[]): Node | undefined {
  let node = document.root
  for (const key of path) node = node?.type === 'object' ? propertyOf(node, key)?.children?.[1] : undefined
  return node
}

export function valueAt(document: JsonDocument, path: readonly string[]): unknown {
  const node = nodeAt(document, path)
  return node === undefined ? undefined : getNodeValue(node)
}

export const propertyOf = (object: Node, key: string): Node | undefined =>
  object.children?.findLast((property) => property.children?.[0]?.value === key)

/** Compares JSON values; ignores the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as never], b[key as never]))
  )
}

/** Leading white space of the line at a position. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, position))![0]
}

/** Whether only white space precedes a position on its line. */
export const startsLine = (text: string, position: number): boolean =>
  /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf('\n', position - 1)), position))

// The parser rejects a byte order mark; a blank keeps every offset right.
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text)

function unitOf(text: string, root: Node | undefined): string {
  const first = root?.children?.find((child) => startsLine(text, child.offset))
  if (root === undefined || first === undefined) return '  '
  const inner = indentAt(text, first.offset).slice(indentAt(text, root.offset).length)
  return inner === '' ? '  ' : inner
}

function malformed(text: string, fault: ParseError): AppError {
  const line = text.slice(0, fault.offset).split('\n').length
  const what = printParseErrorCode(fault.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase()
  return new AppError('damaged', `it is not valid JSON (line ${line}: ${what})`)
}
