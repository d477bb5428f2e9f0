import { readReference } from '../../kernel/domain/input/document-reference.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import { readNamed } from '../../memory/operations/read-named.ts'
import type { Given } from '../../operations/context.ts'
import { decisionNumber, decisionReferred } from '../../record/domain/decision/decision-id.ts'
import { label } from '../../record/domain/decision/decision.ts'

export interface RankedHit {
  readonly id: string
  readonly path: string
  readonly origin: string
  readonly title: string
  readonly start_line: number
  readonly end_line: number
  readonly parts?: readonly { readonly start_line: number; readonly end_line: number }[]
}

/** Hit as a case refers to it. */
export interface NamedHit {
  readonly name: string
  isMeant(hit: RankedHit): boolean
  /** Like `isMeant`, but ignores the lines. */
  isSameDocument(hit: RankedHit): boolean
  /** Whether the index has anything by that name. */
  readonly isKnown: boolean
}

/**
 * Resolves names of hits: an id, a path, `collection/path`, the end of a path, `D12` or `decision 12`, each optionally
 * followed by lines (`path:12-40`). A hit must show at least one of these lines.
 */
export const hitsNamed = (ctx: Given<'memory'>, names: readonly string[]): Promise<readonly NamedHit[]> =>
  Promise.all(names.map((name) => hitNamed(ctx, name)))

async function hitNamed(ctx: Given<'memory'>, given: string): Promise<NamedHit> {
  const name = given.trim()
  const memory = await ctx.memory()
  const within = await withinOf(ctx, undefined)
  const isIndexed = async (glob: string): Promise<boolean> => (await memory.match(glob, ctx.cwd, within)).length > 0
  const number = decisionIn(name)
  if (number !== undefined) {
    const isSameDocument = (hit: RankedHit): boolean => decisionOf(hit) === number
    const isKnown = await isIndexed(`**/decisions/{${number},${String(number).padStart(3, '0')}}-*.md`)
    return { name, isKnown, isSameDocument, isMeant: isSameDocument }
  }
  const { id, from, lines } = readReference(name)
  const found = await readNamed(ctx, name, { lines: 1, within })
  const isSameDocument =
    found === undefined
      ? endsWith(id)
      : ({ id: one, path }: RankedHit) => (id === found.id ? one === id : path === found.path)
  const to = from === undefined || lines === undefined ? from : from + lines - 1
  // A path may itself end in a colon and digits.
  const hasLines = from !== undefined && !(found?.path.endsWith(name) ?? false)
  return {
    name,
    isKnown: found !== undefined || (await isIndexed(`**/${asGlob(endOf(id))}`)),
    isSameDocument,
    isMeant: (hit) => isSameDocument(hit) && (!hasLines || showsLines(hit, from, to!)),
  }
}

/** Undefined for a bare number, which may be the name of a file. */
const decisionIn = (name: string): number | undefined => (/^\d/.test(name) ? undefined : decisionReferred(name))

const decisionOf = ({ origin, path }: RankedHit): number | undefined =>
  origin === 'decision' ? decisionNumber(slashes(path).split('/').at(-1)!) : undefined

/** Matches whole path segments: `data.md` does not end with the path `a.md`. */
const endsWith = (name: string): ((hit: RankedHit) => boolean) => {
  const end = `/${endOf(name)}`
  return ({ path }) => `/${endOf(path)}`.endsWith(end)
}

const endOf = (path: string): string => slashes(path).replace(/^(?:\.{0,2}\/)+/, '')

/** Replaces glob metacharacters in a name by a single-character wildcard. */
const asGlob = (name: string): string => name.replaceAll(/[[\]{}()*?!+@|\\]/g, '?')

const showsLines = (hit: RankedHit, from: number, to: number): boolean =>
  [hit, ...(hit.parts ?? [])].some(({ start_line, end_line }) => start_line <= to && end_line >= from)

/** Name of a hit in reports: short, and enough to find the document. */
export function nameOf(ctx: Given, hit: RankedHit): string {
  const number = decisionOf(hit)
  if (number !== undefined) return `${label(number)} ${ellipsis(hit.title, 80)}`
  const path = slashes(hit.path)
  const here = `${slashes(ctx.cwd).replace(/\/+$/, '')}/`
  return `${path.startsWith(here) ? path.slice(here.length) : path}:${hit.start_line}-${hit.end_line}`
}

const slashes = (path: string): string => path.replaceAll('\\', '/')
