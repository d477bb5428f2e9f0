import { BUDGET, beginning, count } from '../../../kernel/domain/answer-budget.ts'
import { plural } from '../../../kernel/domain/text.ts'

/** Result of a server's tool as text: third-party content, limited to a length a model can take. */
export interface ServerAnswer {
  readonly text: string
  readonly failed: boolean
}

/** Drops images and sound: their effect on a model is unpredictable. */
export function readAnswer(result: unknown): ServerAnswer {
  const { content, structuredContent, isError } = (result ?? {}) as Readonly<Record<string, unknown>>
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : []
  const texts = blocks.map(textOf).filter((text) => text !== undefined)
  const left = blocks.length - texts.length
  const said = texts.join('\n\n').trim()
  const data = said === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : said
  const shown = beginning(data, BUDGET.file)
  const notes = [
    ...(shown.left > 0 ? [`(${count(shown.left)} characters more are left out.)`] : []),
    ...(left > 0
      ? [`(${plural(left, 'part')} that ${left === 1 ? 'is' : 'are'} no text ${left === 1 ? 'is' : 'are'} left out.)`]
      : []),
  ]
  const text = [shown.text, ...notes].filter((line) => line !== '').join('\n\n')
  return { text: text || '(It answered nothing.)', failed: isError === true }
}

function textOf(block: unknown): string | undefined {
  const { type, text, resource, uri, name } = (block ?? {}) as Readonly<Record<string, unknown>>
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'resource_link' && typeof uri === 'string') return `${typeof name === 'string' ? `${name}: ` : ''}${uri}`
  const inner = (resource as { readonly text?: unknown } | undefined)?.text
  return type === 'resource' && typeof inner === 'string' ? inner : undefined
}
