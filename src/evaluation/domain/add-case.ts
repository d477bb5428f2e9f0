import { isMap, isSeq, parseDocument, type Document, type YAMLSeq } from 'yaml'
import { AppError } from '../../kernel/domain/errors.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../../kernel/domain/yaml-bounds.ts'

/**
 * Appends a case, as `caseText` writes it, to a file of cases. Every existing byte stays, unless the file is not a
 * block list yet: a single case, or one in brackets. Throws `invalid_input` for a file without cases, and if the
 * existing content would not read the same afterwards.
 */
export function addCase(now: string | undefined, added: string): string {
  if (now === undefined || now.trim() === '') return added
  const before = readList(now)
  const wanted = JSON.stringify([...before.values, ...readList(added).values])
  const isWhole = (text: string | undefined): text is string =>
    text !== undefined && JSON.stringify(valuesOf(text)) === wanted
  // A final text that keeps its trailing blank lines would absorb one more.
  const after = ['spaced', 'close'].map((how) => inPlace(now, before, { added, how })).find(isWhole)
  if (after !== undefined) return after
  const anew = rewritten(before, added)
  if (!isWhole(anew)) throw unfit('a case cannot be added to it as it stands')
  return anew
}

interface CaseList {
  readonly document: Document
  /** Undefined for a file with a single case, or only comments. */
  readonly list: YAMLSeq | undefined
  readonly values: readonly unknown[]
}

function readList(text: string): CaseList {
  const excess = yamlExcess(text, CONFIG_BOUNDS)
  if (excess !== undefined) throw unfit(excess)
  const document = parseDocument(text, { prettyErrors: false })
  if (document.errors.length > 0) throw unfit('it is no valid YAML, or more than one document')
  const { contents } = document
  if (contents === null) return { document, list: undefined, values: [] }
  if (isSeq(contents)) return { document, list: contents, values: contents.toJS(document) as unknown[] }
  const cases = isMap(contents) ? contents.get('cases', true) : undefined
  if (isSeq(cases)) return { document, list: cases, values: cases.toJS(document) as unknown[] }
  if (isMap(contents) && contents.has('kind')) return { document, list: undefined, values: [contents.toJS(document)] }
  throw unfit('it holds no list of cases')
}

/** Values of the cases; undefined if the text cannot be parsed. */
function valuesOf(text: string): readonly unknown[] | undefined {
  try {
    return readList(text).values
  } catch {
    return undefined
  }
}

/**
 * Inserts the case without rewriting the file; undefined if lines below the last entry would belong to something else.
 */
function inPlace(
  now: string,
  { document, list, values }: CaseList,
  { added, how }: { readonly added: string; readonly how: string },
): string | undefined {
  if (document.contents !== null && (list === undefined || list.flow === true || values.length === 0)) return undefined
  const end = list?.range?.[2] ?? now.length
  // A block list is followed by blank lines, comments, or the next field of the file.
  const at = now.slice(end).trim() === '' ? now.length : end
  const eol = /\r?\n/.exec(now)?.[0] ?? '\n'
  const head = now.slice(0, at)
  const indent = ' '.repeat(list === undefined ? 0 : columnOf(now, list))
  const lines = added
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
  return `${head}${head.endsWith('\n') ? '' : eol}${how === 'spaced' ? eol : ''}${lines.join(eol)}${eol}${now.slice(at)}`
}

/** Column of the hyphen before the first entry. */
function columnOf(text: string, list: YAMLSeq): number {
  const at = list.range![0]
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

/** Document as the library writes it, including comments. */
function rewritten({ document, list }: CaseList, added: string): string {
  const entry = readList(added).list!
  if (list === undefined) {
    entry.items.unshift(document.contents!)
    document.contents = entry as never
  } else {
    list.flow = false
    list.items.push(...entry.items)
  }
  return document.toString({ lineWidth: 0 })
}

const unfit = (why: string): AppError =>
  new AppError('invalid_input', `Can’t add to the file: ${why}.`, {
    hint: 'Fix it or use another file. No changes.',
  })
