import { ellipsis } from '../../../kernel/domain/text.ts'
import { isSecretName } from '../sql/secret-columns.ts'
import { textDateFormat } from './date-format.ts'

/** Content of a JSON column: its keys, their types, and a few of their values. */
interface Shape {
  seen: number
  readonly texts: Map<string, number>
  longTexts: boolean
  readonly numbers: number[]
  booleans: boolean
  readonly keys: Map<string, Shape>
  objects: number
  items: Shape | undefined
}

const DEEPEST = 4
// A value with more parts than this is a document; its first parts suffice to show its shape.
const MOST_PARTS = 2_000
// More keys than this, or keys that most objects lack, are data: a map.
const MOST_KEYS = 40
const LONGEST_KEY = 60
// With fewer objects, a key reveals more than the structure.
const FEW = 3
const MOST_VALUES = 3
const LONGEST_VALUE = 24
export const LONGEST_SHAPE = 400

/**
 * The shape of JSON texts, e.g. `{channel: "web"/"app", items: [{sku: text, qty: 1…5}], note?: text}`; undefined if one
 * is invalid, or none is nested. Without values, the shape has only the keys that most objects share.
 */
export function jsonShape(cells: readonly string[], { values }: { readonly values: boolean }): string | undefined {
  const root = emptyShape()
  let parts = 0
  const visit = (value: unknown, shape: Shape, depth: number): void => {
    if (++parts > MOST_PARTS * cells.length || value === null) return
    shape.seen++
    if (typeof value === 'string') addText(shape, value)
    else if (typeof value === 'number') shape.numbers.push(value)
    else if (typeof value === 'boolean') shape.booleans = true
    else if (Array.isArray(value)) {
      shape.items ??= emptyShape()
      if (depth < DEEPEST) for (const item of value.slice(0, 50)) visit(item, shape.items, depth + 1)
    } else {
      shape.objects++
      if (depth < DEEPEST)
        for (const [key, inner] of Object.entries(value as object).slice(0, MOST_KEYS * 5)) {
          const known = shape.keys.get(key) ?? emptyShape()
          shape.keys.set(key, known)
          visit(inner, known, depth + 1)
        }
    }
  }
  for (const cell of cells) {
    const value = jsonOf(cell)
    if (value === undefined) return undefined
    visit(value, root, 0)
  }
  if (root.objects === 0 && root.items === undefined) return undefined
  return ellipsis(textOf(root, values), LONGEST_SHAPE)
}

const emptyShape = (): Shape => ({
  seen: 0,
  texts: new Map(),
  longTexts: false,
  numbers: [],
  booleans: false,
  keys: new Map(),
  objects: 0,
  items: undefined,
})

function addText(shape: Shape, value: string): void {
  if (value.length > LONGEST_VALUE) shape.longTexts = true
  else shape.texts.set(value, (shape.texts.get(value) ?? 0) + 1)
}

function textOf(shape: Shape, values: boolean): string {
  const told = [
    ...(shape.objects > 0 ? [objectText(shape, values)] : []),
    ...(shape.items === undefined ? [] : [`[${textOf(shape.items, values)}]`]),
    ...(shape.texts.size > 0 || shape.longTexts ? [textsText(shape, values)] : []),
    ...(shape.numbers.length > 0 ? [numbersText(shape.numbers, values)] : []),
    ...(shape.booleans ? ['boolean'] : []),
  ]
  return told.join('/')
}

function objectText(shape: Shape, values: boolean): string {
  const known = [...shape.keys].filter(
    ([key, { seen }]) => key.length <= LONGEST_KEY && (values || (shape.objects >= FEW && seen * 2 >= shape.objects)),
  )
  const isMap = shape.keys.size > MOST_KEYS || (shape.keys.size > 0 && known.length === 0) || areNames(shape)
  if (isMap) return `{<key>: ${textOf(joined([...shape.keys.values()]), false)}}`
  const keys = known.map(
    ([key, inner]) =>
      `${/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? key : JSON.stringify(key)}${inner.seen < shape.objects ? '?' : ''}: ${textOf(inner, values && !isSecretName(key)) || 'null'}`,
  )
  return `{${keys.join(', ')}}`
}

/** Many keys that hardly any two objects share are names of things, not fields of one. */
const areNames = ({ keys, objects }: Shape): boolean =>
  keys.size > 8 && objects > 1 && [...keys.values()].every(({ seen }) => seen * 4 <= objects)

function joined(shapes: readonly Shape[]): Shape {
  const all = emptyShape()
  for (const shape of shapes) {
    all.seen += shape.seen
    all.objects += shape.objects
    all.booleans ||= shape.booleans
    all.longTexts ||= shape.longTexts || shape.texts.size > 0
    for (const one of shape.numbers) all.numbers.push(one)
    for (const [key, inner] of shape.keys) if (!all.keys.has(key)) all.keys.set(key, inner)
    all.items ??= shape.items
  }
  return all
}

function textsText({ texts, longTexts }: Shape, values: boolean): string {
  const format = longTexts ? undefined : textDateFormat('', [...texts.keys()])
  if (format !== undefined) return format.name
  const common = [...texts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MOST_VALUES)
  if (!values || longTexts || common.length === 0) return 'text'
  const all = common.map(([value]) => JSON.stringify(value)).join('/')
  return texts.size > MOST_VALUES ? `${all}/…` : all
}

function numbersText(numbers: readonly number[], values: boolean): string {
  if (!values) return 'number'
  const [low, high] = numbers.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity])
  return low === high ? String(low) : `${low}…${high}`
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
