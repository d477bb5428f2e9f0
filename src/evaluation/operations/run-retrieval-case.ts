import { plural } from '../../kernel/domain/text.ts'
import { memoryQuery } from '../../memory/operations/memory-search.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import type { CaseOf } from '../domain/test-case.ts'
import type { TestCheck } from '../domain/test-run.ts'
import { judged, unfitCase, type CaseResult } from './case-result.ts'
import { hitsNamed, nameOf, type NamedHit, type RankedHit } from './hits-named.ts'

/** Default number of hits for an agent. */
const USUAL = 10
/** Search depth for finding the actual rank of a wanted hit. */
const DEEPEST = 100

/** Checks the results of a search, in the order that an agent sees. */
export async function runRetrievalCase(
  ctx: Given<'memory' | 'record'>,
  test: CaseOf<'retrieval'>,
): Promise<CaseResult> {
  const { wanted, forbidden, at } = test
  const least = test.least ?? wanted.length
  if (least > wanted.length)
    throw unfitCase(
      `It wants at least ${least} of ${wanted.length}, so it can never pass.`,
      'Name more under wanted, or ask for fewer with least.',
    )
  if (least === 0 && forbidden.length === 0)
    throw unfitCase('It expects nothing: least is 0 and nothing is forbidden.', 'Say what must be found.')
  const shown = await search(ctx, test, Math.max(at, USUAL))
  const first = shown.slice(0, at)
  const isMissed = (one: NamedHit): boolean => rankOf(one, first) === undefined
  const wantedHits = await hitsNamed(ctx, wanted)
  // Only used to report the rank; does not affect the result.
  const deep = wantedHits.some(isMissed) ? await search(ctx, test, DEEPEST) : shown
  const places = wantedHits.map((one) => placeOf(one, { shown, deep, at }))
  const instead = `the first ${at}: ${listed(ctx, first)}`
  const checks: TestCheck[] =
    test.least === undefined
      ? wantedHits.map((one, i) => ({
          expects: `finds ${one.name} among the first ${at}`,
          passed: !isMissed(one),
          found: isMissed(one) ? `${places[i]!}; ${instead}` : places[i]!,
        }))
      : [atLeast(wantedHits, { least, at, places, instead, isMissed })]
  for (const one of await hitsNamed(ctx, forbidden)) {
    const rank = rankOf(one, first)
    checks.push({
      expects: `does not find ${one.name} among the first ${at}`,
      passed: rank === undefined,
      ...(rank === undefined
        ? !one.isKnown && { found: 'nothing by that name is in the index' }
        : { found: `at ${rank}: ${nameOf(ctx, first[rank - 1]!)}` }),
    })
  }
  return judged(checks, listed(ctx, shown, '\n'))
}

function atLeast(
  hits: readonly NamedHit[],
  told: {
    readonly least: number
    readonly at: number
    readonly places: readonly string[]
    readonly instead: string
    readonly isMissed: (one: NamedHit) => boolean
  },
): TestCheck {
  const { least, at, places, instead, isMissed } = told
  const found = hits.filter((one) => !isMissed(one)).length
  const each = hits.map(({ name }, i) => `${name} ${places[i]!}`).join(', ')
  return {
    expects: `finds at least ${least} of ${plural(hits.length, 'document')} among the first ${at}`,
    passed: found >= least,
    found: found >= least ? each : `${found}: ${each}; ${instead}`,
  }
}

async function search(
  ctx: Given<'memory' | 'record'>,
  { query, mode, origin }: CaseOf<'retrieval'>,
  limit: number,
): Promise<RankedHit[]> {
  const { output } = await call({ ...ctx, teamMemory: undefined }, memoryQuery, {
    query,
    mode,
    limit,
    ...(origin !== undefined && { origin }),
  })
  return (output as { results: RankedHit[] }).results
}

/** 1-based rank; undefined if the hit is missing. */
function rankOf(one: NamedHit, hits: readonly RankedHit[]): number | undefined {
  const at = hits.findIndex(one.isMeant)
  return at < 0 ? undefined : at + 1
}

function placeOf(
  one: NamedHit,
  {
    shown,
    deep,
    at,
  }: { readonly shown: readonly RankedHit[]; readonly deep: readonly RankedHit[]; readonly at: number },
): string {
  const rank = rankOf(one, shown) ?? rankOf(one, deep)
  if (rank !== undefined) return rank > at ? `only at ${rank}` : `at ${rank}`
  const near = deep.findIndex(one.isSameDocument)
  if (near >= 0) return `only with other lines, at ${near + 1} (${deep[near]!.start_line}-${deep[near]!.end_line})`
  return one.isKnown ? `not among the first ${DEEPEST}` : 'nothing by that name is in the index'
}

const listed = (ctx: Given, hits: readonly RankedHit[], between = ', '): string =>
  hits.length === 0 ? 'nothing' : hits.map((hit, i) => `${i + 1}. ${nameOf(ctx, hit)}`).join(between)
