import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Span } from './index.ts'

type Rule = (typeof rules)[number]
type RuleContext = Parameters<Rule['create']>[0]

/**
 * Runs the preset's rules themselves: its runner keeps timing marks of every text for ever, and heeds comments in the text
 * that switch rules off. Values are looked up, because some rules report the place of the name beside them.
 */
export async function findByPreset(text: string): Promise<readonly Span[]> {
  const values = new Set<string>()
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data: object) => ({ message: '', messageId, data }),
    report: (found) => reportedValues(found.message.data).forEach((value) => values.add(value)),
    ignore: () => {},
  } as RuleContext
  for (const rule of rules.filter((rule) => rule.meta.type === 'scanner' && !URL_RULES.test(rule.meta.id))) {
    await rule.create(context, {}).file?.(sourceOf(text))
  }
  return [...values].flatMap((value) => occurrences(text, value))
}

// They report whole addresses; the pattern of our own takes the password alone, and more of them.
const URL_RULES = /-(?:basicauth|database-connection-string|gcp)$/

const SHORTEST_SECRET = 8

function reportedValues(data: unknown): readonly string[] {
  const values = Object.values((data ?? {}) as Readonly<Record<string, unknown>>)
  return values.filter((value): value is string => typeof value === 'string' && value.length >= SHORTEST_SECRET)
}

type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0]

const sourceOf = (text: string): Source => ({ content: text, contentType: 'text', filePath: undefined, ext: '' }) as unknown as Source

function occurrences(text: string, value: string): readonly Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) spans.push([at, at + value.length])
  return spans
}
