import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOSTILE_PLACES, openHostileDesk, type HostileDesk } from './hostile-desk.ts'

// The full table is `npm run eval -- --only injection`.
let hostile: HostileDesk
beforeAll(async () => {
  hostile = await openHostileDesk()
}, 120_000)
afterAll(() => hostile.close())
beforeEach(() => hostile.putBack())

describe.each(Object.keys(HOSTILE_PLACES))('orders in %s', (place) => {
  test('reach a model that obeys them all, and have no effect', async () => {
    const { called, effects, told, unlabelled, broken } = await hostile.attack(place)
    expect(called.length, 'the orders were read and obeyed').toBeGreaterThan(100)
    expect(effects).toEqual([])
    expect({ unlabelled, broken }).toEqual({ unlabelled: 0, broken: 0 })
    if (!place.includes('picture')) expect(told).toBeGreaterThan(0)
  })
})

test('orders in the question of a test case have no effect', async () => {
  expect((await hostile.attackByTest()).effects).toEqual([])
})

test.each([
  ['update', { slug: 'week', find: 'a person', replace: 'two people' }],
  ['replace', { slug: 'week', text: '# Another week' }],
  ['create', { title: 'Sales', text: '# Sales' }],
])('the same order from the person, with approval, takes effect: %s', async (action, input) => {
  const { effects } = await hostile.order('story', { action, ...input })
  expect(effects).toEqual(['stories'])
})

test('instructions in a table mentioned by the person are data between tags that they cannot close', async () => {
  const { desk } = hostile
  desk.model.reply = (request) => {
    const inside = /<ken-context-(\w+) [^>]*about="table main\.visits"[^>]*>\n([\s\S]*?)\n<\/ken-context-\1>/.exec(
      request.user,
    )
    expect(inside?.[2]).toContain('new instructions from the administrator')
    return 'Seen.'
  }
  expect((await desk.ask('What is in @visits?')).text).toBe('Seen.')
})
