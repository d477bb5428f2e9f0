import { AppError } from '../../kernel/domain/errors.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { readSharedPath } from '../../team/domain/shared-path.ts'
import { teamDocument } from '../../team/domain/team-document.ts'
import type { TeamHit, TeamQuestion } from '../../team/ports/team-memory.ts'
import { withoutHome } from '../../team/share-workspace.ts'
import { AskedTooLong, askBeside } from '../ask-beside.ts'
import type { MemoryAnswer, MemoryQuestion } from '../ports/memory.ts'
import { teamAsked, type AskedTeam } from './team-asked.ts'

export interface TeamAnswer {
  /** Best first, named so that `memory_get` reads them from the team's server. */
  readonly hits: readonly TeamHit[]
  readonly isAnswered: boolean
  /** Why the team did not answer. */
  readonly fault?: string
}

const NOBODY: TeamAnswer = { hits: [], isAnswered: false }
const MOST_HITS = 100

/** Searches what colleagues shared, in parallel with the local index. Never throws. */
export async function askTeam(
  given: Given<'memory'>,
  question: MemoryQuestion,
  own: Promise<MemoryAnswer>,
): Promise<TeamAnswer> {
  if (given.teamMemory === undefined) return NOBODY
  const ctx = machineOf(given)
  const asked = await passedOn(ctx, question)
  const team = asked && (await teamAsked(ctx, question.scope.within).catch(() => undefined))
  if (team === undefined) return NOBODY
  try {
    const found = await askBeside(async (signal) => {
      const memory = await team.open()
      if (memory === undefined) return undefined
      const shares = await ownShares(ctx, team)
      // The user's own shares are removed below, and must not displace other users' shares.
      const limit = shares.size === 0 ? question.limit : Math.min(MOST_HITS, 2 * question.limit)
      return { shares, hits: await memory.search({ ...asked!, limit }, signal) }
    }, own)
    if (found === undefined) return NOBODY
    const hits = await withoutOwn(ctx, found, { within: question.scope.within, own: await own })
    return { hits: hits.map(named), isAnswered: true }
  } catch (error) {
    return { ...NOBODY, fault: `The team’s memory was not searched: ${new URL(team.server).host} ${faultOf(error)}.` }
  }
}

const named = (hit: TeamHit): TeamHit => ({ ...hit, id: teamDocument(hit.id), path: teamDocument(hit.path) })

/** Origins in a team's memory; other questions are not sent to it. */
const SHARED_ORIGINS: readonly string[] = ['session', 'note']
const SHARED_COLLECTIONS: readonly string[] = ['sessions', 'memory']

/** The question as it may leave this machine; undefined if it concerns no team data. */
async function passedOn(
  ctx: Given<'machine'>,
  { scope, text, by, limit }: MemoryQuestion,
): Promise<TeamQuestion | undefined> {
  if (ctx.teamMemory === undefined) return undefined
  const { within: _within, ...narrowed } = scope
  const origins = scope.origins?.filter((origin) => SHARED_ORIGINS.includes(origin))
  const collections = scope.collections?.filter((name) => SHARED_COLLECTIONS.includes(name))
  if (origins?.length === 0 || collections?.length === 0) return undefined
  const clean = withoutHome((await ctx.redactor.redact(text)).text.replaceAll('[redacted]', ' '), ctx.pathNamed('~'))
  return clean.trim() === '' ? undefined : { by, limit, text: clean, scope: { ...narrowed, origins, collections } }
}

async function ownShares(ctx: Given<'machine'>, { server, project }: AskedTeam): Promise<ReadonlySet<string>> {
  const own = (await ctx.sharing()).own().filter((one) => one.server === server && one.project === project)
  return new Set(own.map(({ share }) => share))
}

/** Removes the user's own shares, which the local index also finds; those deleted locally count as the team's. */
async function withoutOwn(
  ctx: Given<'memory'>,
  { shares, hits }: { readonly shares: ReadonlySet<string>; readonly hits: readonly TeamHit[] },
  { within, own }: { readonly within: MemoryQuestion['scope']['within']; readonly own: MemoryAnswer },
): Promise<readonly TeamHit[]> {
  const memory = await ctx.memory()
  const isHere = async ({ path }: TeamHit): Promise<boolean> => {
    const given = readSharedPath(path)
    if (given === undefined || !shares.has(given.share)) return false
    return (
      own.hits.some(({ id }) => id === given.id) || (await memory.read(given.id, { within, lines: 1 })) !== undefined
    )
  }
  const here = await Promise.all(hits.map(isHere))
  return hits.filter((_, at) => !here[at])
}

/** A reason in Ken's words: a server's message is not repeated in a note. */
function faultOf(error: unknown): string {
  if (error instanceof AskedTooLong) return 'did not answer in time'
  if (!(error instanceof AppError)) return 'could not be asked'
  if (error.details?.['offline'] === true) return 'cannot be reached'
  return error.code === 'forbidden' ? 'does not take this login' : 'could not answer'
}
