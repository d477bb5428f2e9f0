import { expect, test } from 'vitest'
import { REGISTRY } from '../../operations/registry.ts'
import { analystOperations } from './analyst-tools.ts'

test('if no person can approve, the analyst gets every reading tool and no tool that makes changes', async () => {
  const all = analystOperations({ context: true, record: true, approval: true })
  const loaded = await Promise.all(REGISTRY.filter(({ name }) => all.includes(name)).map((one) => one.load()))
  const reading = new Set(loaded.filter(({ effect }) => effect === 'read').map(({ name }) => name))
  expect(analystOperations({ context: true, record: true, approval: false })).toEqual(
    all.filter((name) => reading.has(name)),
  )
})
