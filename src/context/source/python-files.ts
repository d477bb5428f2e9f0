import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Language, Parser, type Node } from 'web-tree-sitter'
import { AppError } from '../../kernel/domain/errors.ts'
import { hasTooManyIndents } from '../../kernel/system/python-indents.ts'
import type { PyCall, PyExpression, PyFunction, PyStatement } from '../domain/sources/python-tree.ts'

export interface PythonReader {
  /** Statements of a file, without running it; undefined if it takes too long or is too large. */
  read(text: string): readonly PyStatement[] | undefined
  close(): void
}

const LARGEST = 300_000
/** Milliseconds; a file of the maximum size takes a tenth of it. */
const LONGEST_PARSE = 2_000
// Deeper than any file that people write, and safe for the stack.
const DEEPEST = 60

/** Parses Python with tree-sitter. */
export async function openPythonReader(): Promise<PythonReader> {
  const parser = await loadParser()
  return {
    read(text) {
      if (text.length > LARGEST || hasTooManyIndents(text)) return undefined
      const started = performance.now()
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() - started > LONGEST_PARSE })
      if (!tree) {
        // Otherwise the next text would be parsed as the rest of this one.
        parser.reset()
        return undefined
      }
      try {
        return statements(tree.rootNode, 0)
      } finally {
        tree.delete()
      }
    },
    close: () => parser.delete(),
  }
}

async function loadParser(): Promise<Parser> {
  try {
    await Parser.init()
    const path = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm')
    return new Parser().setLanguage(await Language.load(await readFile(path)))
  } catch (cause) {
    throw new AppError('unavailable', 'The grammar for Python cannot be loaded.', {
      hint: 'Install kenbase again; its package @vscode/tree-sitter-wasm seems to be incomplete.',
      cause,
    })
  }
}

const children = (node: Node | null): readonly Node[] =>
  node === null ? [] : node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment')

const statements = (block: Node | null, depth: number): readonly PyStatement[] =>
  depth > DEEPEST ? [] : children(block).flatMap((node) => statement(node, depth))

function statement(node: Node, depth: number): readonly PyStatement[] {
  switch (node.type) {
    case 'expression_statement':
      return children(node).map((inner) => assignment(inner, depth))
    case 'import_statement':
      return children(node).map((name) => ({ kind: 'import', module: (name.childForFieldName('name') ?? name).text }))
    case 'import_from_statement':
      return [{ kind: 'import', module: node.childForFieldName('module_name')?.text ?? '' }]
    case 'with_statement':
      return [withStatement(node, depth)]
    case 'decorated_definition':
    case 'function_definition':
      return definition(node, depth)
    case 'return_statement':
      return children(node).map((inner) => ({ kind: 'expression', value: expression(inner, depth) }))
    default: {
      const blocks = children(node).flatMap((inner) => (inner.type === 'block' ? [inner] : clauseBlocks(inner)))
      return blocks.length === 0
        ? []
        : [{ kind: 'block', body: blocks.flatMap((block) => statements(block, depth + 1)) }]
    }
  }
}

/** Blocks of `else`, `elif`, `except`, `finally` and `case`. */
const clauseBlocks = (node: Node): readonly Node[] =>
  node.type.endsWith('_clause') ? children(node).filter(({ type }) => type === 'block') : []

function assignment(node: Node, depth: number): PyStatement {
  if (node.type !== 'assignment') return { kind: 'expression', value: expression(node, depth) }
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')]
  const value = right === null ? other(node) : expression(right, depth)
  return left?.type === 'identifier' ? { kind: 'assign', target: left.text, value } : { kind: 'expression', value }
}

function withStatement(node: Node, depth: number): PyStatement {
  const items = children(node)
    .flatMap(children)
    .filter(({ type }) => type === 'with_item')
    .map((item) => {
      const value = item.childForFieldName('value')
      const isNamed = value?.type === 'as_pattern'
      const inner = isNamed ? (value.namedChild(0) ?? value) : value
      return {
        value: inner === null ? ({ kind: 'other', text: '' } as const) : expression(inner, depth),
        alias: isNamed ? value.childForFieldName('alias')?.text : undefined,
      }
    })
  return { kind: 'with', items, body: statements(node.childForFieldName('body'), depth + 1) }
}

function definition(node: Node, depth: number): readonly PyStatement[] {
  const decorators = children(node).filter(({ type }) => type === 'decorator')
  const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node
  const block = inner?.childForFieldName('body') ?? null
  if (inner?.type !== 'function_definition') return [{ kind: 'block', body: statements(block, depth + 1) }]
  const first = children(block)[0]
  const doc = first?.type === 'expression_statement' ? first.namedChild(0) : undefined
  const text = doc?.type === 'string' ? expression(doc, depth) : undefined
  const made: PyFunction = {
    kind: 'function',
    name: inner.childForFieldName('name')?.text ?? '',
    decorators: decorators.flatMap((one) => children(one).map((value) => expression(value, depth))),
    parameters: children(inner.childForFieldName('parameters')).flatMap(parameterName),
    doc: text?.kind === 'text' ? text.value.trim() : undefined,
    body: statements(block, depth + 1),
  }
  return [made]
}

function parameterName(node: Node): readonly string[] {
  if (node.type === 'identifier') return [node.text]
  if (!node.type.endsWith('parameter')) return []
  const name = node.childForFieldName('name') ?? node.namedChild(0)
  return name?.type === 'identifier' ? [name.text] : []
}

function expression(node: Node, depth: number): PyExpression {
  if (depth > DEEPEST) return { kind: 'other', text: '' }
  const inner = (child: Node): PyExpression => expression(child, depth + 1)
  switch (node.type) {
    case 'string':
      return stringOf(node, depth)
    case 'concatenated_string':
      return joined(children(node).map(inner))
    case 'parenthesized_expression':
    case 'await':
      return node.namedChild(0) === null ? { kind: 'other', text: '' } : inner(node.namedChild(0)!)
    case 'identifier':
    case 'attribute':
      return /^[\w.]+$/.test(node.text) ? { kind: 'name', name: node.text } : other(node)
    case 'none':
    case 'true':
    case 'false':
    case 'integer':
    case 'float':
      return { kind: 'constant', text: node.text }
    case 'call':
      return call(node, depth)
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return { kind: 'list', items: children(node).map(inner) }
    case 'dictionary':
      return { kind: 'dictionary', entries: children(node).flatMap((pair) => pairOf(pair, inner)) }
    case 'binary_operator':
      return operation(node, inner)
    default:
      return other(node)
  }
}

const pairOf = (
  pair: Node,
  inner: (node: Node) => PyExpression,
): readonly (readonly [PyExpression, PyExpression])[] => {
  const [key, value] = [pair.childForFieldName('key'), pair.childForFieldName('value')]
  return pair.type === 'pair' && key !== null && value !== null ? [[inner(key), inner(value)]] : []
}

/** Descends the left side in a loop: a chain of a thousand tasks is a thousand deep. */
function operation(node: Node, inner: (node: Node) => PyExpression): PyExpression {
  const [operands, operators]: [PyExpression[], string[]] = [[], []]
  let at: Node | null = node
  while (at?.type === 'binary_operator') {
    const right = at.childForFieldName('right')
    if (right !== null) operands.push(inner(right))
    operators.push(at.children.find((child) => child !== null && !child.isNamed)?.text ?? '')
    at = at.childForFieldName('left')
  }
  if (at !== null) operands.push(inner(at))
  operands.reverse()
  operators.reverse()
  if (operators.every((operator) => operator === '+')) return joined(operands)
  return { kind: 'chain', operands, operators }
}

function call(node: Node, depth: number): PyCall {
  const [callee, given] = [node.childForFieldName('function'), node.childForFieldName('arguments')]
  const object = callee?.type === 'attribute' ? callee.childForFieldName('object') : null
  const name =
    callee === null ? '' : callee.type === 'attribute' ? callee.childForFieldName('attribute')?.text : callee.text
  const isPath = callee !== null && /^[\w.]+$/.test(callee.text)
  const called = callee?.type === 'call' ? callee : object
  const parts = children(given)
  const named = parts.filter(({ type }) => type === 'keyword_argument')
  return {
    kind: 'call',
    callee: isPath ? callee.text : callee?.type === 'call' ? '' : (name ?? ''),
    on: isPath || called === null ? undefined : expression(called, depth + 1),
    given: parts.filter(({ type }) => type !== 'keyword_argument').map((part) => expression(part, depth + 1)),
    named: Object.fromEntries(
      named.flatMap((part) => {
        const value = part.childForFieldName('value')
        return value === null ? [] : [[part.childForFieldName('name')?.text ?? '', expression(value, depth + 1)]]
      }),
    ),
    text: oneLine(node),
  }
}

function stringOf(node: Node, depth: number): PyExpression {
  const opening = node.child(0)?.text ?? ''
  const isRaw = /r/i.test(opening)
  const isFormatted = /f/i.test(opening)
  return joined(
    children(node)
      .filter(({ type }) => type === 'string_content' || type === 'interpolation')
      .map((part): PyExpression => {
        if (part.type === 'interpolation') {
          const inner = part.childForFieldName('expression') ?? part.namedChild(0)
          return inner === null ? other(part) : expression(inner, depth + 1)
        }
        const text = isFormatted ? part.text.replaceAll('{{', '{').replaceAll('}}', '}') : part.text
        return { kind: 'text', value: isRaw ? text : unescaped(text) }
      }),
  )
}

function joined(parts: readonly PyExpression[]): PyExpression {
  if (parts.every((part) => part.kind === 'text'))
    return { kind: 'text', value: parts.map((part) => part.value).join('') }
  return { kind: 'joined', parts }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\n': '', '\\': '\\', "'": "'", '"': '"' }
const unescaped = (text: string): string =>
  text.includes('\\') ? text.replaceAll(/\\([nt\n\\'"])/g, (_, letter: string) => ESCAPES[letter]!) : text

const other = (node: Node): PyExpression => ({ kind: 'other', text: oneLine(node) })
const oneLine = (node: Node): string => node.text.slice(0, 500).replaceAll(/\s+/g, ' ')
