import { unknownName, availableNames } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { readTime, TIME_FORMS } from '../../kernel/domain/input/spoken-time.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import type { Given } from '../../operations/context.ts'
import type { DocumentOrigin, SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import { withinOf } from './memory-scope.ts'

interface Narrowed {
  readonly workspace?: string | undefined
  readonly collection?: readonly string[] | undefined
  readonly origin?: readonly DocumentOrigin[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** The documents a search covers, as narrowed by its caller. */
export async function scopeOf(ctx: Given<'memory'>, input: Narrowed): Promise<SearchScope> {
  const now = ctx.clock.now().getTime()
  return {
    within: await withinOf(ctx, input.workspace),
    collections: input.collection && (await collectionsNamed(ctx, input.collection)),
    origins: input.origin,
    tags: input.tags,
    since: input.since === undefined ? undefined : timeNamed('since', input.since, now).from,
    until: input.until === undefined ? undefined : timeNamed('until', input.until, now).to,
  }
}

/** Why a search finds nothing, if the cause is the scope and not the words. */
export async function whyEmpty(ctx: Given<'memory'>, scope: SearchScope): Promise<string[]> {
  const memory = await ctx.memory()
  if ((await memory.holds(scope)).documents > 0) return []
  const { tags, since, until, ...places } = scope
  const there = await memory.holds(places)
  if (there.documents === 0)
    return ['nothing is indexed in this scope, so there was nothing to search; a wider one: workspace "all"']
  const present = (tags ?? []).length === 0 ? [] : await there.tags()
  const known = new Set(present.map((tag) => tag.toLowerCase()))
  const unknown = (tags ?? []).filter((tag) => !known.has(tag.toLowerCase()))
  if (unknown.length > 0)
    return [`no document here has the tag "${unknown[0]}". ${availableNames(unknown[0]!, present.filter(isPlainTag))}`]
  return since === undefined && until === undefined
    ? ['no document here has all of these tags']
    : ['no document here is of that time']
}

/** Tags come from untrusted documents: no sentence may get into Ken's messages. */
export const isPlainTag = (tag: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,39}$/u.test(tag)

/** Valid names, even if nothing is stored under them. */
const OWN_COLLECTIONS = ['memory', 'sessions', 'record', 'codebase']

async function collectionsNamed(
  ctx: Given<'memory'>,
  named: readonly string[],
): Promise<readonly string[] | undefined> {
  const made = [...OWN_COLLECTIONS, ...ctx.collections.list().collections.map(({ name }) => name)]
  if (named.every((name) => made.includes(name))) return named
  // A collection no longer configured may still be in the index.
  const { byCollection } = await (await ctx.memory()).status()
  const known = [...new Set([...made, ...Object.keys(byCollection)])]
  const found = named.map((name) => known.find((one) => one === name) ?? onlyOne(name, known))
  const missing = named.find((_, at) => found[at] === undefined)
  if (missing === undefined) return found as string[]
  if (named.length === 1 && /^(?:all|any|\*)$/i.test(missing.trim())) return undefined
  throw unknownName('collection', missing, known)
}

/** Matches a name in another case if unambiguous. */
function onlyOne(name: string, known: readonly string[]): string | undefined {
  const [only, ...more] = known.filter((one) => one.toLowerCase() === name.trim().toLowerCase())
  return more.length === 0 ? only : undefined
}

function timeNamed(name: string, text: string, now: number): { from: number; to: number } {
  const time = readTime(text, now)
  if (time === undefined)
    throw new AppError('invalid_input', `${fieldNamed(name)}: "${text}" is not a date.`, { hint: TIME_FORMS })
  return time
}
