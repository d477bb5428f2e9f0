import { Liquid, type Template as Parsed } from 'liquidjs'
import { AppError } from '../../kernel/domain/errors.ts'
import { fencedCode, inlineCode, markdownCell } from '../../kernel/domain/text/markdown-cell.ts'
import type { Templates } from '../ports/templates.ts'

/** LiquidJS without a file system, with own properties only and with resource limits for each template. */
export function openLiquidTemplates(): Templates {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: false,
    relativeReference: false,
    fs: NO_FILES,
    parseLimit: 1_000_000,
    renderLimit: 10_000,
    memoryLimit: 50_000_000,
  })
  engine.registerFilter('cell', (value: unknown) => markdownCell(textOf(value)))
  engine.registerFilter('code', (value: unknown) => inlineCode(textOf(value)))
  engine.registerFilter('fenced', (value: unknown, language: unknown) => fencedCode(textOf(value), textOf(language)))
  engine.registerFilter('number', (value: unknown) =>
    typeof value === 'number' ? NUMBERS.format(value) : textOf(value),
  )
  const parsed = new Map<string, Parsed[]>()
  return {
    async render({ name, text }, scope) {
      try {
        const known = parsed.get(text) ?? engine.parse(text)
        parsed.set(text, known)
        return String(engine.renderSync(known, scope))
      } catch (error) {
        const [first] = (error as Error).message.split('\n')
        throw new AppError('invalid_input', `The template ${name} cannot be used: ${first}.`, {
          hint: 'Fix the template, or remove it to use the built-in one.',
        })
      }
    },
  }
}

// Created once: a new formatter for every number took a sixth of a sync.
const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

const refuse = (): never => {
  throw new Error('templates cannot include files')
}

const NO_FILES = {
  readFileSync: refuse,
  readFile: refuse,
  existsSync: () => false,
  exists: async () => false,
  resolve: (_root: string, file: string) => file,
  contains: async () => false,
  containsSync: () => false,
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
