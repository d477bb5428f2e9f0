import { HALVES, type Figure } from './suite.ts'

/** A text that reintroduces something rejected, or only seems to, and whether it was classified correctly. */
export interface JudgedReturn {
  /** The expected finding; undefined if the text reintroduces nothing. */
  readonly wanted: string | undefined
  readonly isRight: boolean
  readonly isUntouched: boolean
}

export const foundAndAlarms = (set: string, judged: readonly JudgedReturn[]): Figure[] =>
  HALVES.flatMap((half): Figure[] => {
    const { found, returns, alarms, others } = countReturns(judged, half)
    return [
      { set, half, measure: 'returns found', value: found, of: returns, better: 'higher' },
      { set, half, measure: 'false alarms', value: alarms, of: others, better: 'lower' },
    ]
  })

export function tellReturns(judged: readonly JudgedReturn[]): void {
  for (const half of HALVES) {
    const { found, returns, alarms, others } = countReturns(judged, half)
    const name = half === 'tuned' ? half : 'untouched'
    console.log(`${name.padEnd(10)} found ${found} of ${returns}, false alarms ${alarms} of ${others}`)
  }
}

function countReturns(judged: readonly JudgedReturn[], half: (typeof HALVES)[number]) {
  const part = judged.filter(({ isUntouched }) => isUntouched === (half === 'kept back'))
  const returns = part.filter(({ wanted }) => wanted !== undefined)
  const others = part.filter(({ wanted }) => wanted === undefined)
  return {
    found: returns.filter(({ isRight }) => isRight).length,
    returns: returns.length,
    alarms: others.filter(({ isRight }) => !isRight).length,
    others: others.length,
  }
}
