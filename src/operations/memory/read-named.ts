import { AppError } from '../../core/errors.ts'
import { readReference } from '../../core/input/document-reference.ts'
import { operationNamed } from '../../core/named-operation.ts'
import type { SearchScope } from '../../core/ranking/indexed-document.ts'
import { ellipsis } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { MemoryText } from '../../ports/memory.ts'

export interface WantedPart {
  readonly from?: number | undefined
  readonly lines?: number | undefined
  readonly within: SearchScope['within']
}

/** A document by what a caller calls it: as a hit prints it, or by a path from here or from home. */
export async function readNamed(ctx: Context, name: string, part: WantedPart): Promise<MemoryText | undefined> {
  const memory = await ctx.memory()
  return (await memory.read(name, part)) ?? (ID.test(name) ? undefined : memory.read(ctx.pathNamed(name.trim()), part))
}

const ID = /^#?[0-9a-f]{12}(?::|$)/

const MOST_LIKE_IT = 3

/** Says what is called alike, where there is something: a path may have moved, or belong to another folder. */
export async function noSuchDocument(ctx: Context, name: string, within: SearchScope['within']): Promise<AppError> {
  const memory = await ctx.memory()
  const [file] = /[^/\\]+$/.exec(readReference(name).id) ?? []
  const alike =
    file !== undefined && /^[\w.-]{3,100}$/.test(file) ? await memory.match(`**/${file}`, ctx.cwd, within) : []
  const paths = await Promise.all(
    alike.slice(0, MOST_LIKE_IT).map(async (id) => (await memory.read(id, { lines: 1, within }))?.path ?? id),
  )
  return new AppError('not_found', `The index has no document "${ellipsis(name, 200)}" for this workspace.`, {
    hint:
      paths.length > 0
        ? `By that name there ${paths.length === 1 ? 'is' : 'are'}: ${paths.join(', ')}.`
        : `Give the id or the path of a search result, with the same workspace as the search; ${operationNamed('memory_update')} reads new files.`,
  })
}
