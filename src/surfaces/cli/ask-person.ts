import type { Readable, Writable } from 'node:stream'
import { confirm, isCancel, password, text as line } from '@clack/prompts'
import { AppError } from '../../kernel/domain/errors.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'

export interface WizardStreams {
  readonly input: Readable
  readonly output: Writable
}

/** Shows a text that ends in a question and reads yes or no; Ctrl-C is a no, and so is an accidental Return. */
export async function askPerson(text: string, streams: WizardStreams): Promise<boolean> {
  const lines = visible(text).split('\n')
  streams.output.write(`${lines.slice(0, -1).join('\n').trimEnd()}\n`)
  const answer = await confirm({ ...streams, message: lines.at(-1)!, initialValue: false })
  return !isCancel(answer) && answer
}

/** Reads a line, masked with dots if it is hidden. Ctrl-C throws `stopped`. */
export async function askForLine(
  text: string,
  how: { readonly hidden: boolean } | undefined,
  streams: WizardStreams,
): Promise<string> {
  const message = visible(text)
  const answer = await (how?.hidden
    ? password({ ...streams, message })
    : line({ ...streams, message, defaultValue: '' }))
  if (isCancel(answer)) throw new AppError('stopped', 'Nothing more was changed.')
  return answer ?? ''
}
