import { fieldNamed } from '../kernel/domain/named-operation.ts'
import { strip } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import { type Catalogue, type CatalogueEntry, byNumber } from './domain/decision/catalogue.ts'
import { decisionNumber, decisionStem, decisionsNamed, numbersAfter } from './domain/decision/decision-id.ts'
import {
  type Confidence,
  type Decision,
  type DecisionType,
  type Reversibility,
  type DecisionSource,
  label,
} from './domain/decision/decision.ts'
import { duplicateHash, formatHashIndex, parseHashIndex } from './domain/decision/duplicate.ts'
import { formatFaithfully } from './domain/decision/format.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { rewriteDecision } from './domain/decision/rewrite.ts'
import { screenProposal, tooShort } from './domain/decision/screening.ts'
import { HASHES, QUESTIONS, decisionPath } from './domain/files.ts'
import { namedThings } from './domain/names/named-thing.ts'
import { stampQuestions } from './domain/question.ts'
import { ends, isSameName, liftLine, type StandingRejection } from './domain/standing-rejections.ts'
import { rejectedThrough } from './find-rejections.ts'
import { type NumbersHere, writeNamed } from './named-decision.ts'
import type { Draft } from './ports/store.ts'
import { decisionId } from './read-decision.ts'

export interface DecisionProposal {
  readonly title: string
  readonly rationale: string
  readonly operation: 'add' | 'update' | 'supersede'
  readonly affected_decision_id?: string | undefined
  readonly rejected?: readonly { readonly alternative: string; readonly reason: string }[] | undefined
  readonly confidence?: Confidence | undefined
  readonly decision_type?: DecisionType | undefined
  readonly reversibility?: Reversibility | undefined
  readonly files_affected?: readonly string[] | undefined
  readonly resolves_questions?: readonly string[] | undefined
  /** Rejections inherited from the superseded decisions that no longer apply. */
  readonly lift?: readonly string[] | undefined
  readonly source?: DecisionSource | undefined
  readonly base_commit?: string | undefined
}

/** A rule that the proposal breaks: thrown inside the commit so that nothing is written, returned as data. */
export class Refusal extends Error {
  readonly tier: number
  constructor(tier: number, reason: string) {
    super(reason)
    this.tier = tier
  }
}

export interface Written {
  operation: 'add' | 'update' | 'supersede'
  assessment: string
  decision_id: string
  touched_decisions: string[]
  resolved_questions: string[]
  /** The decisions that the proposal replaces, or the one that it extends. */
  replacedIds: string[]
}

/**
 * Screens a proposal against the record and writes everything that it changes: decisions, hash index, questions,
 * snapshot. The lock is held. A thrown `Refusal` writes nothing.
 */
export async function writeProposal(
  ctx: Call,
  draft: Draft,
  proposal: DecisionProposal,
  numbers?: NumbersHere,
): Promise<Written> {
  const catalogue = await draft.catalogue()
  if (proposal.operation !== 'supersede' && (proposal.lift ?? []).length > 0)
    throw new Refusal(0, `Only a decision that supersedes another can lift what that one rejected.`)
  const targets = proposal.operation === 'add' ? [] : findTargets(proposal, catalogue, numbers)
  const [target] = targets
  const change =
    target !== undefined && proposal.operation === 'update'
      ? await appendUpdate(ctx, draft, proposal, target)
      : await addNew(ctx, draft, proposal, targets)
  const resolved = await resolveNamed(ctx, draft, proposal, change.num)
  draft.note(proposal.operation === 'add' ? 'propose_decision' : `${proposal.operation}_decision`, {
    decision: change.stem,
    ...(target === undefined ? {} : { target: target.stem }),
    ...(targets.length < 2 ? {} : { targets: targets.map(({ stem }) => stem) }),
    ...(resolved.length === 0 ? {} : { resolved }),
    ...(proposal.base_commit === undefined ? {} : { base_commit: proposal.base_commit }),
    ...(ctx.approved === true ? { approved: true } : {}),
  })
  draft.snapshot(`decision: ${change.stem}`)
  const named = `${label(change.num)} "${change.title}"`
  const told = {
    add: `Recorded as ${named}.`,
    update: `Updated ${named}.`,
    supersede: `Recorded as ${named}; it supersedes ${targets.map(({ num, title }) => `${label(num)} "${title}"`).join(' and ')}.`,
  }
  return {
    operation: proposal.operation,
    assessment: [told[proposal.operation], ...change.stays].join(' '),
    decision_id: change.stem,
    touched_decisions: change.touched,
    resolved_questions: resolved,
    replacedIds: targets.map(({ num }) => decisionId(num)),
  }
}

async function addNew(ctx: Call, draft: Draft, proposal: DecisionProposal, targets: readonly CatalogueEntry[]) {
  const { decisions, unreadable, identities } = await draft.catalogue()
  const hashes = parseHashIndex(await draft.read(HASHES)) ?? {}
  const reason = screenProposal(
    {
      title: proposal.title,
      rationale: proposal.rationale,
      confidence: proposal.confidence ?? 'medium',
      decision_type: null,
      reversibility: null,
      rejected: proposal.rejected ?? [],
    },
    {
      hashes,
      activeTitles: decisions
        .filter((d) => d.status === 'active' && !targets.some(({ num }) => num === d.num))
        .map((d) => ({ title: d.title, label: label(d.num) })),
    },
  )
  if (reason !== undefined) throw new Refusal(1, reason)

  // Unreadable files still own their number, and the number of an undone decision is not used again.
  const num = numbersAfter([
    ...decisions.map((d) => d.num),
    ...unreadable.map((u) => decisionNumber(u.path.slice('decisions/'.length)) ?? 0),
    identities?.().highest ?? 0,
  ])()
  const inherited = (await Promise.all(targets.map((target) => rejectedThrough(draft, target)))).flat()
  const lift = liftedNames(proposal, inherited)
  const decision = toDecision(ctx, { ...proposal, lift }, num, targets)
  const stem = decisionStem(num, decision.title)
  draft.write(decisionPath(stem), formatFaithfully(decision))
  const touched = [stem]
  for (const target of targets) {
    await flipToSuperseded(draft, target, num)
    touched.push(target.stem)
  }
  const timestamp = ctx.clock.now().toISOString()
  draft.write(
    HASHES,
    formatHashIndex({
      ...hashes,
      [duplicateHash(decision.title, decision.rationale)]: { decision_id: stem, timestamp },
    }),
  )
  return { num, stem, title: decision.title, touched, stays: staysRejected(inherited, decision) }
}

/** Lifted names as the decisions spell them; throws for a name that none of them rejects. */
function liftedNames({ lift = [] }: DecisionProposal, inherited: readonly StandingRejection[]): string[] {
  return lift.map((name) => {
    const found =
      inherited.find(({ alternative }) => isSameName(alternative, name)) ??
      inherited.find(({ thing }) => namedThings(name, '').some(({ id }) => id === thing.id))
    if (found !== undefined) return found.alternative
    const names = [...new Set(inherited.map(({ alternative }) => alternative))]
    throw new Refusal(
      0,
      names.length === 0
        ? `"${name}" cannot be lifted: what is superseded here rejects nothing.`
        : `"${name}" cannot be lifted: it is not among what is rejected here (${names.join(', ')}).`,
    )
  })
}

/** Describes which inherited rejections still apply and which have ended: a line of the rationale can end one. */
function staysRejected(inherited: readonly StandingRejection[], decision: Decision): string[] {
  const own = new Set(decision.rejected.map(({ name }) => name.toLowerCase()))
  const others = inherited.filter(({ alternative }) => !own.has(alternative.toLowerCase()))
  const { ended = [], standing = [] } = Object.groupBy(others, (rejected) =>
    ends(decision, rejected) ? 'ended' : 'standing',
  )
  const told = (words: string, rejected: readonly StandingRejection[]): string[] =>
    rejected.length === 0
      ? []
      : [`${words}: ${[...new Set(rejected.map(({ alternative }) => alternative))].join(', ')}.`]
  return [...told('No longer rejected', ended), ...told('Still rejected', standing)]
}

async function appendUpdate(ctx: Call, draft: Draft, proposal: DecisionProposal, target: CatalogueEntry) {
  const forbidden = (['rejected', 'files_affected', 'decision_type', 'reversibility', 'confidence'] as const).filter(
    (key) => proposal[key] !== undefined,
  )
  if (strip(proposal.title) !== '') forbidden.unshift('title' as never)
  if (forbidden.length > 0)
    throw new Refusal(
      0,
      `An update only adds to the rationale; ${forbidden.join(', ')} cannot change. Supersede ${label(target.num)} instead.`,
    )
  const short = tooShort(proposal.rationale)
  if (short !== undefined) throw new Refusal(1, short)
  const old = await readTarget(draft, target)
  const version = old.version + 1
  const rationale = `${old.rationale}\n\n*Update (v${version}) — ${today(ctx)}:* ${strip(proposal.rationale)}`
  draft.write(decisionPath(target.stem), rewriteDecision(old, { version, rationale }))
  return { num: target.num, stem: target.stem, title: target.title, touched: [target.stem], stays: [] }
}

async function flipToSuperseded(draft: Draft, target: CatalogueEntry, by: number): Promise<void> {
  const old = await readTarget(draft, target)
  draft.write(decisionPath(target.stem), rewriteDecision(old, { status: 'superseded', superseded_by: String(by) }))
}

async function readTarget(draft: Draft, target: CatalogueEntry): Promise<Decision> {
  return parseDecision((await draft.read(decisionPath(target.stem))) ?? '', `${target.stem}.md`)
}

async function resolveNamed(ctx: Call, draft: Draft, proposal: DecisionProposal, num: number): Promise<string[]> {
  const targets = proposal.resolves_questions ?? []
  if (targets.length === 0) return []
  const stamped = stampQuestions((await draft.read(QUESTIONS)) ?? '', targets, num, ctx.clock.now())
  if ('fault' in stamped) throw new Refusal(0, stamped.fault)
  draft.write(QUESTIONS, stamped.text)
  return stamped.ids
}

function findTargets(
  proposal: DecisionProposal,
  catalogue: Catalogue,
  numbers: NumbersHere | undefined,
): CatalogueEntry[] {
  const named = decisionsNamed(proposal.affected_decision_id ?? '')
  if (named.length === 0)
    throw new Refusal(0, `${proposal.operation} needs ${fieldNamed('affected_decision_id')}, e.g. D42.`)
  const targets = new Set(
    named.map(({ id }) => {
      const target = writeNamed(catalogue, id, numbers)
      if (target === undefined) throw new Refusal(0, `There is no decision ${id}.`)
      if ('asks' in target) throw new Refusal(0, target.asks)
      return target.entry
    }),
  )
  if (targets.size > 1 && proposal.operation === 'update')
    throw new Refusal(0, 'An update adds to one decision; call it once for each.')
  for (const target of targets)
    if (target.status === 'superseded')
      throw new Refusal(
        0,
        `${label(target.num)} is already superseded by D${target.superseded_by}; ${proposal.operation} that one instead.`,
      )
  return [...targets].sort(byNumber)
}

function toDecision(ctx: Call, proposal: DecisionProposal, num: number, targets: readonly CatalogueEntry[]): Decision {
  return {
    date: today(ctx),
    confidence: proposal.confidence ?? 'medium',
    version: 1,
    status: 'active',
    decision_type: proposal.decision_type ?? null,
    reversibility: proposal.reversibility ?? null,
    source: proposal.source ?? (ctx.origin.surface.startsWith('mcp') ? 'mcp' : 'manual'),
    files_affected: proposal.files_affected ?? [],
    // The file format has room for one; the other decisions record what superseded them.
    supersedes: targets[0] === undefined ? null : String(targets[0].num),
    superseded_by: null,
    rejected: (proposal.rejected ?? []).map((r) => ({ name: strip(r.alternative), reason: strip(r.reason) })),
    num,
    title: strip(proposal.title).replace(/\s+/g, ' '),
    rationale: [strip(proposal.rationale), (proposal.lift ?? []).map(liftLine).join('\n')].filter(Boolean).join('\n\n'),
    body: '',
    content: '',
  }
}

const today = (ctx: Call): string => ctx.clock.now().toISOString().slice(0, 10)
