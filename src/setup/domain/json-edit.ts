import { getNodeValue, type Node } from 'jsonc-parser'
import { AppError } from '../../kernel/domain/errors.ts'
import {
  indentAt,
  nodeAt,
  propertyOf,
  readJson,
  sameJson,
  startsLine,
  type JsonDocument,
} from '../../kernel/domain/text/json-document.ts'

/** Sets the value under a path of keys, creating the objects on the way. Every other byte stays. */
export function upsertJson(text: string, path: readonly string[], value: unknown): string {
  const document = readJson(text)
  if (document.root === undefined)
    return `${text}${/[^\n]$/.test(text) ? document.eol : ''}${render(wrap(path, value), '', document)}${document.eol}`
  const present = nodeAt(document, path)
  if (present !== undefined)
    return sameJson(getNodeValue(present), value) ? text : replaceNode(document, present, value)
  const { holder, missing } = deepest(document, path)
  return insertMember(document, holder, { key: missing[0]!, value: wrap(missing.slice(1), value) })
}

/** Appends to the list under a path of keys, creating missing keys. */
export function appendJson(text: string, path: readonly string[], item: unknown): string {
  const document = readJson(text)
  const list = nodeAt(document, path)
  if (list === undefined) return upsertJson(text, path, [item])
  if (list.type !== 'array') throw notA('list', path)
  return insertMember(document, list, { value: item })
}

export function replaceNode(document: JsonDocument, node: Node, value: unknown): string {
  const rendered = render(value, indentAt(document.text, node.offset), document)
  return splice(document.text, node.offset, node.offset + node.length, rendered)
}

function deepest(document: JsonDocument, path: readonly string[]): { holder: Node; missing: readonly string[] } {
  let holder = document.root!
  for (const [depth, key] of path.entries()) {
    const next = propertyOf(holder, key)?.children?.[1]
    if (next === undefined) return { holder, missing: path.slice(depth) }
    if (next.type !== 'object') throw notA('object', path.slice(0, depth + 1))
    holder = next
  }
  throw new AppError('internal', `the path ${path.join('.')} already exists`)
}

interface Member {
  readonly key?: string
  readonly value: unknown
}

function insertMember(document: JsonDocument, holder: Node, member: Member): string {
  const last = holder.children?.at(-1)
  return last === undefined ? intoEmpty(document, holder, member) : afterLast(document, last, member)
}

/** Opens an empty container on new lines; a comment inside it stays before the addition. */
function intoEmpty(document: JsonDocument, holder: Node, member: Member): string {
  const { text, eol, unit } = document
  const [from, to] = interior(holder)
  if (document.oneLine) return splice(text, from, to, `${text.slice(from, to)}${print(member, '', document)}`)
  const indent = indentAt(text, holder.offset)
  return splice(
    text,
    from,
    to,
    `${text.slice(from, to).trimEnd()}${eol}${indent}${unit}${print(member, indent + unit, document)}${eol}${indent}`,
  )
}

/** Puts the comma directly after the last member, the new member after a comment on that line. */
function afterLast(document: JsonDocument, last: Node, member: Member): string {
  const { text, eol } = document
  const end = last.offset + last.length
  const comma = commaAfter(text, end)
  const behind = comma === undefined ? end : comma + 1
  const ownLine = startsLine(text, last.offset)
  const indent = indentAt(text, last.offset)
  const at = ownLine ? behind + remarks(text, behind) : behind
  const printed = `${ownLine ? eol + indent : ' '}${print(member, indent, document)}`
  if (comma !== undefined) return splice(text, at, at, `${printed},`)
  return splice(splice(text, at, at, printed), end, end, ',')
}

/** Removes a member from its container with its comma and its line; everything around it stays. */
export function dropMember(text: string, holder: Node, member: Node): string {
  const last = member.offset + member.length
  const comma = commaAfter(text, last)
  const previous = holder.children![holder.children!.indexOf(member) - 1]
  const separator = previous === undefined ? undefined : commaAfter(text, previous.offset + previous.length)
  const end = comma === undefined ? last : comma + 1
  const start = startOf(text, { member, end, separator: separator ?? holder.offset })
  if (comma === undefined && separator !== undefined)
    return splice(splice(text, start, end, ''), separator, separator + 1, '')
  return splice(text, start, start === member.offset && comma !== undefined ? end + blanks(text, end) : end, '')
}

/** The start of the bytes that belong to a member: its line break, or the blanks after the previous comma. */
function startOf(text: string, { member, end, separator }: { member: Node; end: number; separator: number }): number {
  const gap = text.slice(separator + 1, member.offset)
  if (!startsLine(text, member.offset))
    return text[separator] === ',' && gap.trim() === '' ? separator + 1 : member.offset
  const lineBreak = gap.search(/\r?\n[ \t]*$/)
  // Without its line break a line comment before the member would swallow the following text.
  if (lineBreak < 0 || (endsInLineComment(gap.slice(0, lineBreak)) && !endsLine(text, end))) return member.offset
  return separator + 1 + lineBreak
}

function endsInLineComment(gap: string): boolean {
  const last = [...gap.matchAll(/\/\/[^\n\r]*|\/\*[^]*?\*\//g)].at(-1)
  return last !== undefined && last[0].startsWith('//') && last.index + last[0].length === gap.length
}

const endsLine = (text: string, position: number): boolean => lengthAt(/(?:[ \t]*(?:\/\/|\r?\n))?/y, text, position) > 0

/** The bytes between the brackets of a container. */
export const interior = (holder: Node): [number, number] => [holder.offset + 1, holder.offset + holder.length - 1]

export const splice = (text: string, from: number, to: number, inserted: string): string =>
  text.slice(0, from) + inserted + text.slice(to)

const print = (member: Member, indent: string, document: JsonDocument): string =>
  `${member.key === undefined ? '' : `${JSON.stringify(member.key)}: `}${render(member.value, indent, document)}`

function render(value: unknown, indent: string, document: JsonDocument): string {
  if (document.oneLine) return JSON.stringify(value)
  return JSON.stringify(value, null, document.unit).replaceAll('\n', document.eol + indent)
}

const wrap = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value)

/** The comma after a member; only white space and comments may come before it. */
function commaAfter(text: string, position: number): number | undefined {
  const at = position + lengthAt(/(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*/y, text, position)
  return text[at] === ',' ? at : undefined
}

/** Length of the comments that follow on the same line. */
const remarks = (text: string, position: number): number =>
  lengthAt(/(?:[ \t]*\/\*[^\n\r]*?\*\/)*(?:[ \t]*\/\/[^\n\r]*)?/y, text, position)

const blanks = (text: string, position: number): number => lengthAt(/[ \t]*/y, text, position)

function lengthAt(sticky: RegExp, text: string, position: number): number {
  sticky.lastIndex = position
  return sticky.exec(text)![0].length
}

const notA = (kind: string, path: readonly string[]): AppError =>
  new AppError('damaged', `\`${path.join('.')}\` in it is not ${kind === 'object' ? 'an object' : `a ${kind}`}`)
