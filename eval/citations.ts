import { checkCitations } from '../src/analyst/domain/citation/check-citations.ts'
import { ANSWERS } from './citations/answers.ts'
import { IDS, RESULTS } from './citations/results.ts'
import { HALVES, type Figure } from './suite.ts'

// Minimum figures. A number counts as marked if the checker reports that it differs or that no query returned it.
const LEAST = { precision: 0.9, recall: 0.9 }
const STATES = { c: 'checked', d: 'differs', u: 'unsourced' } as const

interface Labelled {
  readonly text: string
  readonly question: string
  readonly labels: ReadonlyMap<number, keyof typeof STATES>
}

interface Tally {
  marked: number
  rightly: number
  toMark: number
  labelled: number
  exact: number
}

/** Recall of the numbers that should be marked, and how often a number is marked wrongly. */
export const citationFigures = async (): Promise<Figure[]> =>
  HALVES.flatMap((half): Figure[] => {
    const { marked, rightly, toMark, labelled, exact } = tallyHalf(half)
    const at = { set: 'labelled answers', half, better: 'higher' } as const
    return [
      { ...at, measure: 'wrong or unsourced numbers marked', value: rightly, of: toMark },
      { ...at, measure: 'marks that are right', value: rightly, of: marked },
      { ...at, measure: 'numbers judged exactly', value: exact, of: labelled },
    ]
  })

if (import.meta.main) {
  let isMissed = false
  for (const half of HALVES) {
    const tally = tallyHalf(half)
    const [precision, recall] = [tally.rightly / tally.marked, tally.rightly / tally.toMark]
    if (precision < LEAST.precision || recall < LEAST.recall) isMissed = true
    console.log(
      `${half.replace('kept', 'held').padEnd(10)} precision ${percent(precision)} (${tally.rightly} of ${tally.marked} marks)  recall ${percent(recall)} (${tally.rightly} of ${tally.toMark})  judged exactly ${percent(tally.exact / tally.labelled)} (${tally.exact} of ${tally.labelled} numbers)`,
    )
  }
  console.log(`Wanted in both halves: precision and recall at least ${percent(LEAST.precision)}.`)
  process.exitCode = isMissed ? 1 : 0
}

function tallyHalf(half: (typeof HALVES)[number]): Tally {
  const tally: Tally = { marked: 0, rightly: 0, toMark: 0, labelled: 0, exact: 0 }
  for (const answer of ANSWERS.filter((_, i) => i % 2 === (half === 'tuned' ? 0 : 1)))
    judge(read(answer), tally, half === 'tuned')
  return tally
}

function judge({ text, question, labels }: Labelled, tally: Tally, isShown: boolean): void {
  const said = new Map(checkCitations(text, RESULTS, question).map((one) => [one.at, one]))
  for (const [at, label] of labels) {
    const state = said.get(at)?.state
    const isMarked = state === 'differs' || state === 'unsourced'
    tally.labelled++
    if (state === STATES[label]) tally.exact++
    else if (isShown && process.argv.includes('--misses'))
      console.log(`  ${label} was ${state ?? 'not seen'}: ${text.slice(at, at + 12)} in ${text}`)
    if (label !== 'c') tally.toMark++
    if (isMarked && label !== 'c') tally.rightly++
  }
  for (const { at, state, text: number } of said.values()) {
    if (state === 'checked') continue
    tally.marked++
    if (!labels.has(at) && isShown && process.argv.includes('--misses'))
      console.log(`  marked ${number} at ${at} in ${text}`)
  }
}

/** Returns the answer without its labels, and the position of each labelled number. */
function read(answer: string): Labelled {
  const [first = '', second] = answer.split(' || ')
  const named = (second ?? first).replaceAll(/\{([mrtp])\}/g, (_, id: keyof typeof IDS) => IDS[id])
  const labels = new Map<number, keyof typeof STATES>()
  let text = ''
  let from = 0
  for (const match of named.matchAll(/\{([cdu]):([^{}]*)\}/g)) {
    text += named.slice(from, match.index)
    labels.set(text.length, match[1] as keyof typeof STATES)
    text += match[2]
    from = match.index + match[0].length
  }
  return { text: text + named.slice(from), question: second === undefined ? '' : first, labels }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
