import { expect, test } from 'vitest'
import { openAllowances } from '../../../kernel/domain/limits/allowance.ts'
import type { Caller } from '../../../team/domain/may.ts'
import { openTokenRoutes } from './token-routes.ts'

const ADA: Caller = {
  person: 'ada',
  organisation: 'works',
  role: 'member',
  through: 'token',
  scopes: ['read'],
  projects: undefined,
}

function desk() {
  let time = 0
  const good = new Set(['good'])
  const lookedUp: string[] = []
  const callerOf = async (secret: string): Promise<Caller | undefined> => {
    lookedUp.push(secret)
    return good.has(secret) ? ADA : undefined
  }
  const enter = openTokenRoutes({
    allowances: openAllowances(() => time),
    limits: { person: { burst: 100, perMinute: 60 }, nobody: { burst: 5, perMinute: 60 } },
  })
  return {
    good,
    lookedUp,
    pass: (milliseconds: number) => (time += milliseconds),
    show: (secret: string | undefined, source = 'here', bytes = 0) => enter({ secret, callerOf, source, bytes }),
  }
}

test('guesses are counted by source before they are looked up', async () => {
  const { show, lookedUp, pass } = desk()
  for (let count = 0; count < 50; count++) await show(`guess ${count}`)
  expect(lookedUp).toHaveLength(5)
  expect(await show('another')).toEqual({ wait: 1 })
  expect(await show('another', 'there')).toEqual({ wait: 0 })
  pass(1_000)
  expect(await show('another')).toEqual({ wait: 0 })
  expect(lookedUp).toHaveLength(7)
})

test('an accepted caller is not blocked by guesses from others at the same address', async () => {
  const { show } = desk()
  expect(await show('good')).toEqual({ wait: 0, caller: ADA })
  for (let count = 0; count < 50; count++) await show(`guess ${count}`)
  expect(await show('good')).toEqual({ wait: 0, caller: ADA })
})

test('a token is looked up on every request, and counts as a guess once it is invalid', async () => {
  const { show, good, lookedUp } = desk()
  await show('good')
  good.delete('good')
  for (let count = 0; count < 50; count++) expect((await show('good')).caller).toBeUndefined()
  expect(lookedUp).toHaveLength(1 + 1 + 4)
})

test('a value that is far too long to be a token, or a missing one, is not looked up', async () => {
  const { show, lookedUp } = desk()
  expect([await show('a'.repeat(10_000)), await show(undefined)]).toEqual([{ wait: 0 }, { wait: 0 }])
  expect(lookedUp).toEqual([])
})

test('large bodies count as many calls', async () => {
  const { show } = desk()
  await show('good')
  const large = 4 * 1024 * 1024
  expect((await show('good', 'here', large)).wait).toBe(0)
  expect((await show('good', 'here', large)).wait).toBeGreaterThan(30)
  expect((await show('good')).wait).toBe(0)
})
