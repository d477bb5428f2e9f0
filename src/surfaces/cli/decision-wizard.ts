import { confirm, intro, isCancel, text } from '@clack/prompts'
import { AppError } from '../../kernel/domain/errors.ts'
import { strip } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { LIMITS, textFault, tooShort } from '../../record/domain/decision/screening.ts'
import type { WizardStreams } from './ask-person.ts'

export interface DecisionDesk {
  readonly streams: WizardStreams
  /** Shows related parts of the record. */
  showRelated(proposal: { readonly title: string; readonly rationale: string }): Promise<void>
  /** The text from the person's editor, without comments; empty if they wrote nothing. */
  write(template: string): Promise<string>
}

const TEMPLATE = `
# Why was it decided: what it has to cope with, what is given up for it, what would change it.
# Lines that begin with # are left out. An empty text records nothing.
`

/**
 * Prompts for a decision, shows related ones, and returns the equivalent command-line words. Undefined if the person
 * finally declines; Ctrl-C and an empty text throw `stopped`. Nothing is written here.
 */
export async function askForDecision(
  title: string | undefined,
  { streams, showRelated, write }: DecisionDesk,
): Promise<readonly string[] | undefined> {
  const ask = async (message: string, validate: (given: string) => string | undefined): Promise<string> =>
    strip(answered<string>(await text({ ...streams, message, validate: (given) => validate(strip(given ?? '')) })))
  const unfit = title === undefined ? undefined : titleFault(strip(title))
  if (unfit !== undefined) throw new AppError('invalid_input', unfit)
  intro('Record a decision. Ctrl-C stops; nothing is written before the end.', streams)
  const named = title ?? (await ask('What was decided, in one line?', titleFault))
  const short = await ask('Why? (leave it empty to write it in your editor)', (given) =>
    given === '' ? undefined : rationaleFault(given),
  )
  const rationale = short || (await written(named, write))
  const rejected: { alternative: string; reason: string }[] = []
  for (;;) {
    const given = await ask(
      rejected.length === 0
        ? 'What else was considered and turned down? (empty: nothing)'
        : 'What else? (empty: nothing more)',
      (words) => (words === '' ? undefined : alternativeFault(nameAndReason(words).alternative)),
    )
    if (given === '') break
    const { alternative, reason } = nameAndReason(given)
    rejected.push({
      alternative,
      reason:
        reason !== undefined && reasonFault(reason) === undefined
          ? reason
          : await ask(`Why not ${visibleLine(alternative)}?`, reasonFault),
    })
  }
  await showRelated({ title: named, rationale })
  if (!answered(await confirm({ ...streams, message: 'Record it?' }))) return undefined
  return [
    ...(title === undefined ? [`--title=${named}`] : []),
    `--rationale=${rationale}`,
    ...rejected.map((one) => `--rejected=${JSON.stringify(one)}`),
  ]
}

/** "Redis: a network hop" contains both, in the format of `--rejected`; a colon inside a word does not split. */
function nameAndReason(given: string): { alternative: string; reason?: string } {
  const [, alternative, reason] = /^(.*?\S)\s*:\s+(\S.*)$/s.exec(given) ?? []
  return alternative === undefined ? { alternative: given } : { alternative, reason: reason! }
}

const alternativeFault = (given: string): string | undefined => textFault('name', given, LIMITS.alternative, 'one line')

const reasonFault = (given: string): string | undefined =>
  given === '' ? 'Please say why.' : textFault('reason', given, LIMITS.reason)

/** Reopens an invalid text in the editor with the reason, so that the user does not have to write it twice. */
async function written(title: string, write: DecisionDesk['write']): Promise<string> {
  const about = `${TEMPLATE}#\n# ${visibleLine(title)}\n`
  let text = strip(await write(about))
  for (let fault = rationaleFault(text); text !== '' && fault !== undefined; fault = rationaleFault(text))
    text = strip(await write(`${text}\n\n# ${fault}${about}`))
  if (text === '') throw stopped('The text is empty, so nothing was recorded.')
  return text
}

function titleFault(given: string): string | undefined {
  // A single dash means standard input on the command line.
  if (given === '' || given === '-') return 'Please say it.'
  return textFault('title', given, LIMITS.title, 'one line')
}

const rationaleFault = (given: string): string | undefined =>
  tooShort(given) ?? textFault('rationale', given, LIMITS.rationale)

function answered<T>(given: T | symbol): T {
  if (isCancel(given)) throw stopped('Nothing was recorded.')
  return given as T
}

const stopped = (message: string): AppError => new AppError('stopped', message)
