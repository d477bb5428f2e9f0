import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import { inPercent, inTime } from '../../../../src/evaluation/domain/figures.ts'
import type { Calls } from '../../api/call.ts'

type Run = Calls['test_runs']['output']['runs'][number]
type Tally = Run['total']

/** A run in half a line, e.g. for the name of its column. */
export const runTitle = (run: Pick<Run, 'started_at' | 'end'> & { readonly total: Tally }): string =>
  `${whenOf(run.started_at)}: ${passedWords(run.total)}${brokenWords(run.total)}${endWords(run)}`

export const whenOf = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

export const passedWords = ({ passed, failed, pass_rate }: Tally): string =>
  passed + failed === 0 ? 'no result' : `${passed} of ${passed + failed} passed (${inPercent(pass_rate)})`

/** Cases without a result of their own, which the share that passed leaves out. */
export const brokenWords = ({ broken }: Pick<Tally, 'broken'>): string => (broken === 0 ? '' : `, ${broken} broken`)

/** How the run ended, if that is worth mentioning. */
export const endWords = ({ end }: Pick<Run, 'end'>): string =>
  end === undefined
    ? ', not finished'
    : end === 'complete'
      ? ''
      : end === 'budget'
        ? ', stopped at the cost limit'
        : ', stopped'

export interface Spent {
  readonly usage: { readonly input: number; readonly output: number; readonly cost?: number | undefined }
  readonly milliseconds: number
}

/** Cost of the run: time, tokens, money; zero values are left out. */
export const spentWords = ({ usage, milliseconds }: Spent): readonly string[] => [
  inTime(milliseconds),
  ...(usage.input + usage.output > 0 ? [`${(usage.input + usage.output).toLocaleString('en-US')} tokens`] : []),
  ...(usage.cost === undefined ? [] : [inDollars(usage.cost)]),
]
