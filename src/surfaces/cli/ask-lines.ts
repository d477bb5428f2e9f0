import type { MessageEnd } from '../../analyst/domain/chat/chat.ts'
import type { ChatPart, Citation, Injected } from '../../analyst/domain/chat/part.ts'
import { plural } from '../../kernel/domain/text.ts'
import { visible, visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { paragraph } from '../../kernel/domain/view/width.ts'

/** Context given to the model beside the question. */
export function injectedLine({ rules, memories, decisions, skills, tables, stories, examples = [] }: Injected): string {
  const parts = [
    rules === undefined ? '' : `${visibleLine(rules.path)}${rules.cut ? ', cut' : ''}`,
    memories.length === 0 ? '' : plural(memories.length, 'memory', 'memories'),
    decisions.map(({ number }) => `D${String(number).padStart(3, '0')}`).join(', '),
    ...skills.map((skill) => `/${visibleLine(skill)}`),
    named('table', tables),
    named('story', stories, 'stories'),
    named('example', examples),
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `with ${parts.join(' · ')}`
}

const FEW = 4
const SHOWN = 3

function named(one: string, names: readonly string[], many?: string): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, names.length > FEW ? SHOWN : FEW)
  const left = names.length - shown.length
  const more = left === 0 ? '' : ` and ${left} more`
  return `${names.length === 1 ? one : (many ?? `${one}s`)} ${shown.map(visibleLine).join(', ')}${more}`
}

/** A question with its numbered options. */
export function optionLines(
  { question, options }: { readonly question: string; readonly options: readonly string[] },
  view: View,
): string {
  const lines = options.map((option, at) => `  ${view.mark('match', String(at + 1))}  ${visibleLine(option)}`)
  return [view.mark('title', paragraph(visible(question), view)), ...lines].join('\n')
}

const MOST_LINES = 40

/** A call that needs approval, with its input; a note before the prompt if the input is long. */
export function questionLines(
  { tool, input, own }: Pick<Extract<ChatPart, { kind: 'approval' }>, 'tool' | 'input' | 'own'>,
  view: View,
): string {
  const lines = argumentLines(input)
  const left = lines.length - MOST_LINES
  return [
    view.mark(
      'title',
      own
        ? `The analyst has read text that you did not write, and now wants to call ${visibleLine(tool)} with:`
        : `The analyst wants to call ${visibleLine(tool)}, which is not Ken's own, with:`,
    ),
    ...lines.slice(0, MOST_LINES),
    ...(left > 0
      ? [view.mark('bad', `  … and ${plural(left, 'line')} that are not shown here: a shows all of it`)]
      : []),
  ].join('\n')
}

/** The complete input of a call. */
export const argumentLines = (input: unknown): readonly string[] =>
  visible(JSON.stringify(input ?? {}, null, 2))
    .split('\n')
    .map((line) => `  ${line}`)

/** The answer's numbers by origin: verified numbers in one line, the others one per line. */
export function citationLines(citations: readonly Citation[], view: View): string[] {
  const checked = citations.filter(({ state }) => state === 'checked')
  const queries = [...new Set(checked.flatMap(({ query }) => query ?? []))]
  const lines = citations
    .filter(({ state }) => state !== 'checked')
    .map(({ text, state, query, found }) =>
      state === 'differs'
        ? view.mark(
            'bad',
            `! ${visibleLine(text)} differs from ${visibleLine(query ?? 'its query')}${found === undefined ? '' : `, which has ${visibleLine(found)}`}`,
          )
        : view.mark('warning', `? ${visibleLine(text)} comes from no query`),
    )
  const numbers = [...new Set(checked.map(({ text }) => visibleLine(text)))]
  const held = `✓ ${numbers.join(', ')}: checked against ${queries.map(visibleLine).join(', ')}`
  return checked.length === 0 ? lines : [view.mark('good', paragraph(held, view)), ...lines]
}

/** Model, steps, tokens, cost and time in one line. */
export function costLine(model: string | undefined, { reason, usage, milliseconds, steps }: MessageEnd): string {
  const count = (tokens: number): string => tokens.toLocaleString('en-US')
  const parts = [
    // The text is not Ken's own, and the model has read third-party text.
    model === undefined || model === 'evidence' ? '' : `${model}, untrusted`,
    reason === 'answered' || reason === 'asked' ? '' : reason,
    steps > 1 ? plural(steps, 'step') : '',
    usage.input + usage.output === 0 ? '' : `${count(usage.input)} tokens in, ${count(usage.output)} out`,
    usage.cost === undefined ? '' : `$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`,
    `${(milliseconds / 1_000).toFixed(1)} s`,
  ]
  return visibleLine(parts.filter((part) => part !== '').join(' · '))
}
