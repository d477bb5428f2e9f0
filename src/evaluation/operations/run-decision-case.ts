import { unknownName } from '../../kernel/domain/close-match.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { decisionNumber, decisionReferred } from '../../record/domain/decision/decision-id.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { checkDecision } from '../../record/operations/check-decision.ts'
import type { RelatedDecision } from '../../record/related-decision.ts'
import { saysWords } from '../domain/check-words.ts'
import type { CaseOf } from '../domain/test-case.ts'
import type { TestCheck } from '../domain/test-run.ts'
import { judged, type CaseResult } from './case-result.ts'

/** Checks the decisions that an agent is shown for a proposal, including those whose choice it reintroduces. */
export async function runDecisionCase(ctx: Given<'record'>, test: CaseOf<'decision'>): Promise<CaseResult> {
  const { decisions } = await (await ctx.record()).catalogue()
  // Resolved before any request: an unknown decision would otherwise always count as missing.
  const wanted = test.surfaces.map((ref) => named(ref, decisions))
  const unwanted = test.not_surfaces.map((ref) => named(ref, decisions))
  const { output, input } = await call(ctx, checkDecision, {
    proposed_approach: test.proposal,
    ...(test.context !== undefined && { context: test.context }),
    ...(test.files.length > 0 && { files: test.files }),
  })
  const said = output as unknown as Said
  const shown = [...said.related_decisions, ...said.returns_to]
  const placeOf = ({ numbers }: NamedDecision): number =>
    shown.findIndex(({ id }) => numbers.includes(decisionNumber(id) ?? -1))
  const shownLine = shown.length === 0 ? 'it shows none' : `it shows ${shown.map(lineOf).join('; ')}`
  const checks: TestCheck[] = [
    ...wanted.map((one) => {
      const at = placeOf(one)
      return {
        expects: `shows ${one.name}`,
        passed: at >= 0,
        found: at >= 0 ? `at ${at + 1}, ${shown[at]!.verdict}` : shownLine,
      }
    }),
    ...unwanted.map((one) => {
      const at = placeOf(one)
      return {
        expects: `does not show ${one.name}`,
        passed: at < 0,
        ...(at >= 0 && { found: `at ${at + 1}: ${lineOf(shown[at]!)}` }),
      }
    }),
    ...(test.verdict === undefined
      ? []
      : [{ expects: `verdict ${test.verdict}`, passed: said.verdict === test.verdict, found: said.verdict }]),
    ...test.rejected.map((name) => rejectedCheck(name, shown)),
  ]
  return judged(checks, checkDecision.render(output as never, input as never))
}

interface Said {
  readonly verdict: string
  readonly related_decisions: readonly RelatedDecision[]
  readonly returns_to: readonly RelatedDecision[]
}

interface NamedDecision {
  readonly name: string
  /** Numbers of the matching decisions; several if they share the title. */
  readonly numbers: readonly number[]
}

/** Finds a decision by number, `D12`, `decision 12`, or title. A decision with a numeric title needs its number. */
function named(ref: number | string, decisions: readonly CatalogueEntry[]): NamedDecision {
  const number = typeof ref === 'number' ? ref : decisionReferred(ref)
  const found = decisions.filter(({ num, title }) =>
    number === undefined ? sameTitle(title, String(ref)) : num === number,
  )
  const [first] = found
  if (first === undefined)
    throw unknownName(
      'decision',
      number === undefined ? String(ref) : label(number),
      decisions.map(({ num, title }) => (number === undefined ? title : label(num))),
    )
  return { name: `${label(first.num)} ${ellipsis(first.title, 80)}`, numbers: found.map(({ num }) => num) }
}

const sameTitle = (a: string, b: string): boolean => saysWords(a, b) && saysWords(b, a)

const lineOf = ({ id, title, verdict }: RelatedDecision): string =>
  `${label(decisionNumber(id) ?? 0)} ${ellipsis(title, 80)} (${verdict})`

function rejectedCheck(name: string, shown: readonly RelatedDecision[]): TestCheck {
  const brought = shown.flatMap(({ id, brings_back }) =>
    brings_back === undefined ? [] : [{ alternative: brings_back.alternative, by: label(decisionNumber(id) ?? 0) }],
  )
  const match = brought.find(({ alternative }) => isCalled(alternative, name))
  const all = brought.map(({ alternative, by }) => `${alternative} (${by})`).join(', ')
  return {
    expects: `says that ${name} was rejected`,
    passed: match !== undefined,
    found: match === undefined ? (all === '' ? 'it names nothing rejected' : `it names ${all}`) : `by ${match.by}`,
  }
}

/** `Redis` matches "Redis as a cache", never "RediSearch". */
function isCalled(alternative: string, name: string): boolean {
  const words = (text: string): string =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}+#]+(?:\.[\p{L}\p{N}]+)*/gu)
        ?.join(' ') ?? ''
    } `
  return words(alternative).includes(words(name))
}
