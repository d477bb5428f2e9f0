import { confirm, isCancel } from '@clack/prompts'
import { visible } from '../../core/trust/visible.ts'
import type { WizardStreams } from './context-wizard.ts'

/** Shows a text that ends in a question, and takes yes or no; Ctrl-C is a no, and so is a hasty Return. */
export async function askPerson(text: string, streams: WizardStreams): Promise<boolean> {
  const lines = visible(text).split('\n')
  streams.output.write(`${lines.slice(0, -1).join('\n').trimEnd()}\n`)
  const answer = await confirm({ ...streams, message: lines.at(-1)!, initialValue: false })
  return !isCancel(answer) && answer
}
