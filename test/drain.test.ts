import { expect, test } from 'vitest'
import { listen } from '../src/surfaces/http/listen.ts'

test('a draining server answers received requests, accepts nothing new, and exits', async () => {
  const asked = Promise.withResolvers<void>()
  const may = Promise.withResolvers<void>()
  const server = await listen(async () => {
    asked.resolve()
    await may.promise
    return new Response('done')
  }, 0)
  const answer = fetch(server.url)
  await asked.promise
  const drained = server.drain({ unused: Promise.resolve(), patience: 30_000 })
  await expect
    .poll(() =>
      fetch(server.url).then(
        () => 'taken',
        () => 'refused',
      ),
    )
    .toBe('refused')
  may.resolve()
  expect(await (await answer).text()).toBe('done')
  await drained
})

test('requests that exceed the time limit are aborted', async () => {
  const asked = Promise.withResolvers<void>()
  const server = await listen(() => {
    asked.resolve()
    return new Promise<Response>(() => {})
  }, 0)
  const answer = fetch(server.url)
  answer.catch(() => undefined)
  await asked.promise
  await server.drain({ unused: Promise.resolve(), patience: 50 })
  await expect(answer).rejects.toThrow()
})

test('drains without a failed request under endless requests, once they are routed elsewhere', async () => {
  const [going, staying] = await Promise.all([0, 1].map(() => listen(() => new Response('ok'), 0)))
  const unused = Promise.withResolvers<void>()
  let isKnown = false
  let [asked, underWay] = [0, 0]
  const ask = async (): Promise<void> => {
    while (asked < 400) {
      asked += 1
      // The load balancer notices the drain a moment later.
      isKnown ||= asked > 100
      const to = isKnown || asked % 2 === 0 ? staying! : going!
      if (to === going) underWay += 1
      expect(await (await fetch(to.url)).text()).toBe('ok')
      if (to === going) underWay -= 1
      if (isKnown && underWay === 0) unused.resolve()
    }
  }
  const drained = going!.drain({ unused: unused.promise, patience: 30_000 })
  await Promise.all(Array.from({ length: 20 }, ask))
  await drained
  await staying!.close()
})
