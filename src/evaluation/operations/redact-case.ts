import { contextHere } from '../../analyst/operations/project-key.ts'
import { isPlainObject } from '../../kernel/domain/input/read-value.ts'
import type { Given } from '../../operations/context.ts'
import type { WrittenCase } from '../domain/case-text.ts'

/** Redacts a case before it is written as YAML: a redaction mark inside a YAML line could change its meaning. */
export async function redactCase(
  ctx: Given<'context'>,
  written: WrittenCase,
): Promise<{ readonly written: WrittenCase; readonly count: number }> {
  const project = await contextHere(ctx)
  let count = 0
  const clean = async (text: string): Promise<string> => {
    const first = await ctx.redactor.redact(text)
    const second = await project?.redact(first.text)
    count += first.count + (second?.count ?? 0)
    return second?.text ?? first.text
  }
  const visit = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return Promise.all(value.map(visit))
    if (!isPlainObject(value)) return value
    const entries = Object.entries(value).map(async ([key, one]) => [key, await visit(one)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return { written: (await visit(written)) as WrittenCase, count }
}
