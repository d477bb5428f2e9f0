import { sentencesAround, sentencesOf, squeezed, LEFT_OUT } from '../../../kernel/domain/text/sentences.ts'
import { saysNothing } from '../says-nothing.ts'
import { contentWords, folded, isNegated, isSaidAlike, sharedWords } from './content-words.ts'
import { whyForbidden } from './forbidden-memory.ts'
import type { MemoryRow } from './memory-row.ts'
import type { ForgetProposal, MemoryProposal, MemoryProposals } from './proposal.ts'
import { isChange, isRevocation, isUndone } from './revocation.ts'
import { isSelfStatement } from './self-statement.ts'
import { isStandingInstruction } from './standing-instruction.ts'
import type { UserMessage } from './user-messages.ts'

const LONGEST_CONTENT = 1_000
const LEAST_EVIDENCE_WORDS = 3

export interface Judged {
  readonly accepted: readonly AcceptedMemory[]
  readonly forget: readonly { readonly id: string; readonly message: string; readonly words: string }[]
  readonly refused: readonly Refusal[]
}

export interface AcceptedMemory extends MemoryProposal {
  /** The message that contains the evidence. */
  readonly message: string
}

export interface Refusal {
  /** Content of the proposal, or of the row to be forgotten. */
  readonly content: string
  readonly why: string
}

export interface JudgeGrounds {
  /** As returned by `userMessages`. */
  readonly messages: readonly UserMessage[]
  /** The user's rows that apply here. */
  readonly holding: readonly MemoryRow[]
  /** Whether two differently worded texts mean the same. */
  meanSame?(a: string, b: string): boolean
}

/**
 * Decides which proposals may be kept. Every check works without a model: the words must be the user's, support the
 * proposal, be about the user or addressed to the assistant, apply beyond the present moment, and not be dangerous to
 * keep.
 */
export function judgeProposals(proposals: MemoryProposals, grounds: JudgeGrounds): Judged {
  const accepted: AcceptedMemory[] = []
  const refused: Refusal[] = []
  for (const given of proposals.items) {
    const proposal = { ...given, content: tidy(given.content) }
    const place = placeOf(proposal.evidence, grounds.messages)
    const why = place === undefined ? NOT_SAID : whyNot(proposal, place.sentences)
    const known = why === undefined ? whyKnown(proposal, grounds, accepted) : undefined
    if (why === undefined && known === undefined)
      accepted.push({ ...withLink(proposal, grounds), evidence: place!.words, message: place!.message })
    else refused.push({ content: proposal.content, why: (why ?? known)! })
  }
  const superseded = new Set(accepted.map((one) => one.supersedes))
  const forget = proposals.forget
    .filter(({ id }) => !superseded.has(id))
    .flatMap((one) => {
      const outcome = judgeForgetting(one, grounds)
      if (!('why' in outcome)) return [outcome]
      refused.push(outcome)
      return []
    })
  return { accepted, forget, refused }
}

const NOT_SAID = 'the evidence does not stand in what the user wrote'

/** Folds white space and adds a full stop at the end. */
export function tidy(content: string): string {
  const text = content.replaceAll(/\s+/g, ' ').trim()
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
}

interface Place {
  readonly message: string
  readonly words: string
  /** The whole sentences around the evidence: preceding words may change its meaning. */
  readonly sentences: string
}

function placeOf(evidence: string, messages: readonly UserMessage[]): Place | undefined {
  if (evidence.includes(LEFT_OUT) || squeezed(evidence).split(' ').length < LEAST_EVIDENCE_WORDS) {
    // A short message may be quoted as a whole.
    const whole = messages.find(({ text }) => squeezed(text) === squeezed(evidence) && squeezed(text).includes(' '))
    return whole && { message: whole.id, words: evidence.trim(), sentences: whole.text }
  }
  // Uses the last message that contains the evidence: a repetition counts as new.
  for (const { id, text } of messages.toReversed()) {
    const sentences = sentencesAround(text, evidence)
    if (sentences !== undefined) return { message: id, words: evidence.trim(), sentences }
  }
  return undefined
}

function whyNot(proposal: MemoryProposal, sentences: string): string | undefined {
  const { content, evidence, category } = proposal
  if (content.length < 4 || saysNothing(content)) return 'it has no content'
  if (content.length > LONGEST_CONTENT) return `it is longer than ${LONGEST_CONTENT} characters`
  if (sentencesOf(content).length > 1) return 'it is more than one sentence'
  const forbidden = whyForbidden(content) ?? whyForbidden(evidence)
  if (forbidden !== undefined) return forbidden
  const around = folded(sentences)
  if (HYPOTHETICAL.test(around)) return 'the user only imagines it'
  if (REPORTED.test(around)) return 'the user tells what somebody else says'
  const said = sentencesOf(evidence).flatMap((one) => sentencesOf(sentencesAround(sentences, one) ?? one))
  if (said.some(isUndone)) return 'the user takes it back'
  const instructs = said.some(isStandingInstruction) || sentencesOf(evidence).some(isInstructionBySelf(said))
  if (category === 'global_rule') {
    if (!instructs) return 'the evidence does not tell the assistant how to do things from now on'
  } else {
    if (!said.some(isSelfStatement) || !sentencesOf(evidence).some(isSelfStatement))
      return 'the evidence says nothing lasting about the user'
    if (sentencesOf(evidence).every(isStandingInstruction)) return 'it is an instruction, not a fact'
  }
  return whyUnsupported(proposal)
}

/** Whether part of a sentence alone is an instruction; only checked if the whole sentence is not a question. */
const isInstructionBySelf =
  (said: readonly string[]) =>
  (evidence: string): boolean =>
    isStandingInstruction(evidence) && !said.some((sentence) => sentence.trim().endsWith('?'))

const HYPOTHETICAL =
  /\b(?:if (?:i|we) (?:were|was|am|are|had)|suppose|supposing|imagine|pretend|assume (?:that )?(?:i|we|my)|as if|as though|act as|acting as|role-?play|hypothetically|let'?s say|what if|for example|stell dir vor|angenommen|als ob|tu so|wenn ich .{0,60} ware|supposons|imagine que|imaginons|si j'etais|comme si|supongamos|imagina|si (?:yo )?fuera|como si)\b/
const REPORTED =
  /(?<!\b(?:i|as i|what i|like i|as we|we|you|je|ich|yo) )\b(?:said|says|told|wrote|writes|claims?|claimed|mentioned|replied|sagte?|schrieb|meinte?|behauptet|dijo|dice|escribio|a dit|dit que|a ecrit)\b|\b(?:according to|laut|selon|segun)\b|^(?:please )?(?:write|draft|compose|translate) .{0,80}\b(?:that|who|which) sa(?:ys?|id)|\bsaying\b/

/**
 * Returns why the evidence does not support a proposal, which may shorten and frame the user's words but not add to
 * them or reverse them.
 */
function whyUnsupported({ content, evidence }: MemoryProposal): string | undefined {
  const [own, said] = [contentWords(content), contentWords(evidence)]
  const shared = sharedWords(own, said)
  const added = own.length - shared.length
  if (shared.length === 0 && own.length > 0) return 'the evidence is about something else'
  if (added > 0 && own.length < 3 ? added * 2 > own.length : added * 3 > own.length)
    return 'it says more than the user said'
  const numbers = (text: string): string[] => text.match(/\d+/g) ?? []
  if (numbers(content).some((number) => !numbers(evidence).includes(number)))
    return 'it holds a number that the user did not say'
  const names = content.slice(1).match(/\b\p{Lu}[\p{L}\p{N}]+/gu) ?? []
  const words = folded(evidence)
  if (
    names.some((name) => !words.includes(folded(name).replace(/'s$/, '')) && !words.includes(folded(name).slice(0, 5)))
  )
    return 'it holds a name that the user did not say'
  if (isTurnedRound(content, evidence)) return 'it says the contrary of what the user said'
  return undefined
}

const isTurnedRound = (content: string, evidence: string): boolean =>
  isNegated(content)
    ? !isNegated(evidence)
    : /\b(?:always|immer|toujours|siempre)\b/.test(folded(content)) &&
      NEVER.test(folded(evidence)) &&
      !/\b(?:always|immer|toujours|siempre)\b/.test(folded(evidence))
const NEVER = /\b(?:never|don't|do not|nie|niemals|jamais|nunca)\b/

function whyKnown(
  { content, category }: MemoryProposal,
  { holding, meanSame }: JudgeGrounds,
  accepted: readonly AcceptedMemory[],
): string | undefined {
  const isSame = (other: string): boolean => isSaidAlike(content, other) || meanSame?.(content, other) === true
  if (holding.some((row) => row.category === category && isSame(row.content))) return 'it is remembered already'
  return accepted.some((one) => isSame(one.content)) ? 'it is proposed twice' : undefined
}

/** Keeps a `supersedes` link only to an active, related row of the same kind. */
function withLink(proposal: MemoryProposal, { holding }: JudgeGrounds): MemoryProposal {
  const { supersedes, ...rest } = proposal
  const row = holding.find(({ id }) => id === supersedes)
  if (row === undefined || row.category !== proposal.category) return rest
  const isAbout =
    sharedWords(contentWords(row.content), contentWords(`${proposal.content} ${proposal.evidence}`)).length > 0
  return isAbout || isChange(proposal.evidence) ? proposal : rest
}

function judgeForgetting(
  { id, evidence }: ForgetProposal,
  { messages, holding }: JudgeGrounds,
): Judged['forget'][number] | Refusal {
  const row = holding.find((one) => one.id === id)
  if (row === undefined) return { content: id, why: 'there is no such memory of this user' }
  const place = placeOf(evidence, messages)
  if (place === undefined) return { content: row.content, why: NOT_SAID }
  if (REPORTED.test(folded(place.sentences)))
    return { content: row.content, why: 'the user tells what somebody else says' }
  if (!sentencesOf(place.sentences).some(isRevocation))
    return { content: row.content, why: 'the user took nothing back' }
  const nearness = ({ content }: MemoryRow): number =>
    sharedWords(contentWords(content), contentWords(place.words)).length
  if (nearness(row) === 0 || holding.some((other) => nearness(other) > nearness(row)))
    return { content: row.content, why: 'the user took something else back' }
  return { id, message: place.message, words: place.words }
}
