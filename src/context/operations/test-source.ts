import { z } from 'zod'
import { inBytes, plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import type { ContextProject, SourceEntry } from '../ports/context-project.ts'
import type { SourceItem } from '../ports/source.ts'

export const sourceCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  found: z.string().optional(),
  problem: z.string().optional(),
  hint: z.string().optional(),
  milliseconds: z.number(),
})

export type SourceCheck = z.output<typeof sourceCheck>

/** Opens a source and lists its items; error messages include the next step, and no secrets. */
export async function testSource(project: ContextProject, entry: SourceEntry): Promise<SourceCheck> {
  const started = performance.now()
  const took = (): number => Math.round(performance.now() - started)
  try {
    const source = await entry.open()
    try {
      const { items } = await source.list()
      return {
        name: entry.key,
        ok: true,
        found: countOf(entry, items) + costOf(items),
        milliseconds: took(),
      }
    } finally {
      await source.close()
    }
  } catch (thrown) {
    const error = toAppError(thrown)
    const problem = (await project.redact(error.message)).text
    return {
      name: entry.key,
      ok: false,
      problem,
      ...(error.hint !== undefined && { hint: error.hint }),
      milliseconds: took(),
    }
  }
}

export const checkLine = (one: SourceCheck, view: View): string =>
  one.ok
    ? `${view.mark('good', 'ok')}      ${one.name}  ${one.found}  ${(one.milliseconds / 1000).toFixed(1)} s`
    : `${view.mark('bad', 'failed')}  ${one.name}  ${one.problem}\n        ${one.hint ?? ''}`.trimEnd()

/** Billed bytes of a first sync, for an engine that bills reads. */
function costOf(items: readonly SourceItem[]): string {
  const bytes = items.reduce((sum, { billedBytes }) => sum + (billedBytes ?? 0), 0)
  return bytes === 0 ? '' : `, up to ${inBytes(bytes)} to profile`
}

/** A database has a page of examples besides its tables. */
const countOf = ({ key }: SourceEntry, items: readonly SourceItem[]): string =>
  key.startsWith('database/')
    ? plural(items.filter(({ data }) => data !== undefined).length, 'table')
    : plural(items.length, 'item')
