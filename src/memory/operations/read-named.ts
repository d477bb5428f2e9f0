import { AppError } from '../../kernel/domain/errors.ts'
import { readReference } from '../../kernel/domain/input/document-reference.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import { readTeamDocument, teamDocument } from '../../team/domain/team-document.ts'
import type { MemoryText } from '../ports/memory.ts'
import { teamAsked } from './team-asked.ts'

export interface WantedPart {
  readonly from?: number | undefined
  readonly lines?: number | undefined
  readonly within: SearchScope['within']
}

/** A document by the name printed with a hit, or by a path relative to the current or home folder. */
export async function readNamed(ctx: Given<'memory'>, name: string, part: WantedPart): Promise<MemoryText | undefined> {
  const inTeam = readTeamDocument(name)
  if (inTeam !== undefined) return readFromTeam(ctx, inTeam, part)
  const memory = await ctx.memory()
  const found = await memory.read(name, part)
  // A team server has no folders to resolve a path against.
  if (found !== undefined || ID.test(name) || ctx.pathNamed === undefined) return found
  return memory.read(ctx.pathNamed(name.trim()), part)
}

/** Reads from the team's server only. */
async function readFromTeam(
  ctx: Given,
  name: string,
  { within, ...part }: WantedPart,
): Promise<MemoryText | undefined> {
  const team = await teamAsked(ctx, within)
  const memory = await team?.open()
  if (memory === undefined)
    throw new AppError(
      'not_found',
      `No team is linked here, so "${ellipsis(teamDocument(name), 200)}" can’t be read.`,
      {
        hint:
          team === undefined
            ? 'Give the workspace that the search was made with: it names a project that is linked to a team.'
            : `Run \`ken auth login ${team.server}\`, and see that team.search is on.`,
      },
    )
  const found = name.trim() === '' ? undefined : await memory.read(name, part)
  return found && { ...found, id: teamDocument(found.id), path: teamDocument(found.path) }
}

const ID = /^#?[0-9a-f]{12}(?::|$)/

const MOST_LIKE_IT = 3

/** Suggests similar names, if any: a path may have moved, or belong to another folder. */
export async function noSuchDocument(
  ctx: Given<'memory'>,
  name: string,
  within: SearchScope['within'],
): Promise<AppError> {
  if (readTeamDocument(name) !== undefined)
    return new AppError('not_found', `The team’s memory has no document "${ellipsis(name, 200)}".`, {
      hint: 'It may no longer be shared: search again.',
    })
  const memory = await ctx.memory()
  const [file] = /[^/\\]+$/.exec(readReference(name).id) ?? []
  const alike =
    file !== undefined && /^[\w.-]{3,100}$/.test(file) ? await memory.match(`**/${file}`, ctx.cwd, within) : []
  const paths = await Promise.all(
    alike.slice(0, MOST_LIKE_IT).map(async (id) => (await memory.read(id, { lines: 1, within }))?.path ?? id),
  )
  const readsFiles =
    ctx.offers?.('memory_update') === false ? '' : `; ${operationNamed('memory_update')} reads new files`
  return new AppError('not_found', `The index has no document "${ellipsis(name, 200)}" for this workspace.`, {
    hint:
      paths.length > 0
        ? `Files with that name: ${paths.join(', ')}.`
        : `Use the id or path of a search hit, with the workspace of the search${readsFiles}.`,
  })
}
