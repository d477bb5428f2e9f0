import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/all.ts'
import { dailySample } from '../daily-sample.ts'
import { canMount, isRoot, openRefusedHome, type Refusal } from '../refused-homes.ts'

const REFUSALS: readonly [Refusal, boolean][] = [
  ['read-only', canMount()],
  ['full', canMount()],
  ["someone else's", !isRoot || process.platform === 'linux'],
  ['a read-only place for a new home', canMount()],
]

/** The first example of each operation, as typed. */
const LINES = OPERATIONS.map((operation) => {
  const [example] = operation.examples
  const words = Object.entries((example?.input ?? {}) as Record<string, unknown>).flatMap(
    ([field, value]): string[] => {
      const flag = `--${field.replaceAll('_', '-')}`
      if (typeof value === 'boolean') return value ? [flag] : [flag.replace('--', '--no-')]
      const values = (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === 'string' ? one : JSON.stringify(one),
      )
      return operation.positional.includes(field) ? values : values.flatMap((one) => [flag, one])
    },
  )
  return [...operation.command[0]!.split(' '), ...words]
})

const EVERY_LINE = [...LINES, ['write', 'a note'], ['agents-md'], ['index-codebase'], ['hook', 'session-start']]

describe.each(REFUSALS)('in a home that is %s', (refusal, canBe) => {
  test.skipIf(!canBe)(
    'no command reports a fault in Ken',
    async () => {
      const home = await openRefusedHome(refusal)
      const faults: string[] = []
      try {
        const left = [...dailySample(`commands in a home that is ${refusal}`, EVERY_LINE, 30)]
        const work = async (): Promise<void> => {
          for (let line = left.shift(); line !== undefined; line = left.shift()) {
            const { code, said, out } = await home.ken(...line)
            if (code === 1 && /fault in Ken|internal/.test(said + out)) faults.push(`ken ${line.join(' ')}: ${said}`)
          }
        }
        // Each of some hundred commands starts a process: two at a time, one for each core.
        await Promise.all([work(), work()])
      } finally {
        home.close()
      }
      expect(faults).toEqual([])
    },
    900_000,
  )
})
