import { spellNames } from '../kernel/domain/named-operation.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { enveloped } from '../kernel/domain/trust/envelope.ts'
import {
  labelLine,
  overallTrust,
  labelForPeople,
  type AnswerTrust,
  type DecisionTrust,
  type Label,
} from '../kernel/domain/trust/trust.ts'
import { visible, visibleDeep } from '../kernel/domain/trust/visible.ts'
import { spansOf, textOf, unmarked, type Styled } from '../kernel/domain/view/styled.ts'
import { plainView, type Reader, type View } from '../kernel/domain/view/view.ts'
import type { Operation, Words } from './operation.ts'
import { forAgents, FOR_PROGRAMS, forTerminal } from './spelling.ts'

type Output = Readonly<Record<string, unknown>>

export interface Answer {
  readonly input: Record<string, unknown>
  readonly output: Record<string, unknown>
  /** Ken's notice beside the answer; empty if none. */
  readonly notice: string
}

/** The answer for every surface: without hidden characters, and with the label first if the words are not Ken's. */
export function labelled(operation: Operation, output: Output): Record<string, unknown> {
  const label = labelOf(operation, output)
  return label === undefined
    ? visibleDeep(output)
    : Object.assign({ label: '' }, visibleDeep(output), { label: labelLine(label) })
}

/**
 * The answer as text. For an agent, text from third parties is put in an envelope; for command output this also
 * applies, unless people here approved the text. At a terminal a line marks it.
 */
export const answerText = (operation: Operation, answer: Answer, reader: Reader): string =>
  textOf(styledAnswer(operation, answer, plainView(reader)))

/** Like `answerText`, with the renderer's marks. Input has no hidden characters, so every mark is the renderer's. */
export function styledAnswer(operation: Operation, answer: Answer, view: View): Styled {
  const input = visibleDeep(answer.input) as never
  const output = visibleDeep(answer.output)
  const spelling = view.reader === 'agent' ? FOR_PROGRAMS : forTerminal(operation)
  const toReader = view.reader === 'agent' ? forAgents : (text: string) => text
  const ken = (text: string) => toReader(spellNames(redacted(text), spelling))
  const own = ken(operation.own(output as never, input, view))
  const isProse = operation.isProse(input)
  const rendered = operation.render(output as never, input, view)
  // The output contains no secret, and another redaction would break a machine-readable format.
  const quoted = spellNames(isProse ? redacted(rendered) : rendered, spelling)
  const label = !isProse ? undefined : labelOf(operation, output)
  const isUnreviewed = label?.trust === 'from the clone'
  const parts = [
    shown(ken(operation.rules(output as never))),
    ...(isUnreviewed
      ? [setApart([own, quoted].filter((part) => part !== '').join('\n\n'), label, view)]
      : [shown(own), setApart(quoted, label, view)]),
    answer.notice && view.mark('warning', answer.notice),
  ]
  return spansOf(parts.filter((part) => part !== '').join('\n\n'))
}

function setApart(text: string, label: Label | undefined, view: View): string {
  if (text === '' || label === undefined || (view.reader !== 'agent' && label.trust === 'approved')) return shown(text)
  if (view.reader !== 'person') return enveloped(unmarked(text), label)
  const mark = labelForPeople(label)
  return mark === undefined ? shown(text) : `${view.mark('warning', `(${mark})`)}\n${shown(text)}`
}

/** Redacts without marks: a secret with a mark inside would not be recognised. */
function redacted(text: string): string {
  const { text: clean, count } = redactSecrets(unmarked(text))
  return count === 0 ? text : clean
}

/** Drops the marks if a renderer's fixed or derived text contains hidden characters. */
function shown(text: string): string {
  const plain = unmarked(text)
  const seen = visible(plain)
  return seen === plain ? text : seen
}

/** Source of an answer's words; undefined if they are Ken's. Any answer may name an unreviewed record. */
const labelOf = (operation: Operation, output: Output): Label | undefined =>
  LABELS[operation.words](output) ??
  (output['trust'] === 'from the clone' ? { origin: 'record', trust: 'from the clone' } : undefined)

const LABELS: Readonly<Record<Words, (output: Output) => Label | undefined>> = {
  own: () => undefined,
  record: (output) => recordLabel(output),
  memory: (output) => memoryLabel(output),
  brief: ({ trust }) => ({ origin: 'brief', trust: trust as AnswerTrust }),
  code: () => ({ origin: 'code', trust: 'compiled' }),
  context: () => ({ origin: 'context', trust: 'compiled' }),
  // Written by a model that has read third-party text.
  analyst: () => ({ origin: 'analyst', trust: 'untrusted' }),
  mcp: () => ({ origin: 'mcp', trust: 'untrusted' }),
  database: ({ refused }) => (refused === undefined ? { origin: 'database', trust: 'untrusted' } : undefined),
}

/** An answer that recorded something contains third-party text only if it quotes similar decisions. */
function recordLabel({ trust, similar_decisions: similar }: Output): Label | undefined {
  if (!Array.isArray(similar)) return { origin: 'record', trust: trust as AnswerTrust }
  return similar.length === 0
    ? undefined
    : {
        origin: 'record',
        trust: overallTrust([trust, ...similar.map((hit: { trust: DecisionTrust }) => hit.trust)] as DecisionTrust[]),
      }
}

function memoryLabel({ trust, results, documents, nearest }: Output): Label | undefined {
  if (typeof trust === 'string') return { origin: 'memory', trust: trust as AnswerTrust }
  const shown = [results, documents, nearest].flatMap((list) => (list ?? []) as readonly { trust: AnswerTrust }[])
  const trusts = new Set(shown.map((one) => one.trust))
  const [only] = trusts
  return only === undefined ? undefined : { origin: 'memory', trust: trusts.size === 1 ? only : 'as marked' }
}
