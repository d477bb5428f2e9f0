import { readFileSync } from 'node:fs'
import type { Decision, DecisionType } from '../src/record/domain/decision/decision.ts'
import { goldenDecisions, proposals } from './proposals.ts'

/** Decisions of one domain, with proposals that touch one of them and proposals that touch none. */
export interface CheckSet {
  readonly domain: string
  readonly decisions: readonly Decision[]
  readonly related: readonly { readonly proposal: string; readonly decision: number }[]
  readonly unrelated: readonly string[]
}

interface WrittenSet extends Pick<CheckSet, 'related' | 'unrelated'> {
  readonly decisions?: readonly (Pick<Decision, 'num' | 'title' | 'rationale'> & {
    readonly decision_type?: DecisionType | null
    readonly files_affected?: readonly string[]
    readonly rejected?: Decision['rejected']
  })[]
}

const DOMAINS = ['shop', 'data-platform', 'mobile-app', 'firmware', 'ml-service'] as const

/** The five domains; the shop's record is the golden corpus. */
export const checkSets = (): CheckSet[] =>
  DOMAINS.map((domain) => {
    const written = JSON.parse(
      readFileSync(new URL(`sets/check/${domain}.json`, import.meta.url), 'utf8'),
    ) as WrittenSet
    return { domain, decisions: written.decisions?.map(toDecision) ?? goldenDecisions(), ...pick(written) }
  })

/** The older, easier set over the shop only. */
export function paraphraseSet(): CheckSet {
  const { paraphrases, unrelated } = proposals()
  return { domain: 'shop, first set', decisions: goldenDecisions(), related: paraphrases, unrelated }
}

/** The odd entries were used for choosing constants; the even ones are held out. */
export const half = (set: CheckSet, which: 'tuned' | 'kept back'): CheckSet => {
  const mine = (_: unknown, i: number) => i % 2 === (which === 'tuned' ? 1 : 0)
  return { ...set, related: set.related.filter(mine), unrelated: set.unrelated.filter(mine) }
}

const pick = ({ related, unrelated }: WrittenSet) => ({ related, unrelated })

export const toDecision = (written: NonNullable<WrittenSet['decisions']>[number]): Decision => ({
  date: '2026-03-02',
  confidence: 'high',
  version: 1,
  status: 'active',
  reversibility: null,
  source: null,
  supersedes: null,
  superseded_by: null,
  body: '',
  content: '',
  ...written,
  decision_type: written.decision_type ?? null,
  files_affected: written.files_affected ?? [],
  rejected: written.rejected ?? [],
})
