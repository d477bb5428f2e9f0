// Preloaded with --import: writes the first call of every function of a source tree, in order, to one file. Code that
// runs only while a module is loaded does not count; it is the same on every path.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type ArrowFunctionExpression, type Function as FunctionNode } from 'oxc-parser'

const ROOT = process.env['SHAPE_ROOT'] ?? ''
const TRACE = process.env['SHAPE_TRACE'] ?? ''

const called = new Set<string>()
let loading = 0
Object.assign(globalThis, {
  shapeCalled(place: string): void {
    if (loading > 0 || called.has(place)) return
    called.add(place)
    appendFileSync(TRACE, `${place}\n`)
  },
  shapeLoading: (step: number): number => (loading += step),
})

// This signal clears a server's trace, so that its startup is excluded.
process.on('SIGUSR2', () => called.clear())

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).split(sep).join('/') : ''
    if (!path.startsWith('src/') || !path.endsWith('.ts') || loaded.source === undefined) return loaded
    return { ...loaded, source: traced(path, String(loaded.source)) }
  },
})

interface Insertion {
  readonly at: number
  readonly text: string
}

function traced(path: string, source: string): string {
  const { program } = parseSync(path, source)
  const insertions: Insertion[] = []
  let depth = 0
  let isWaiting = false
  const enter = (node: FunctionNode | ArrowFunctionExpression): void => {
    depth += 1
    const { body } = node
    if (body === null) return
    const call = `shapeCalled('${path}:${node.start}')`
    if (body.type === 'BlockStatement') insertions.push({ at: body.start + 1, text: `${call};` })
    else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' })
  }
  const leave = (): void => void (depth -= 1)
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression: () => void (isWaiting ||= depth === 0),
  }).visit(program)
  const text = insertions
    .sort((one, other) => other.at - one.at)
    .reduce((rest, { at, text: inserted }) => rest.slice(0, at) + inserted + rest.slice(at), source)
  // A module with top-level await runs the program itself.
  return isWaiting ? text : `shapeLoading(1);${text}\nshapeLoading(-1);`
}
