import { describe, expect, test } from 'vitest'
import { returnsTo } from './returns-to.ts'

const old = { title: 'Build with Jenkins', rationale: 'We will run every build on Jenkins.' }
const successor = {
  title: 'Build with GitHub Actions',
  rationale: 'We use GitHub Actions for every build, because Jenkins needs a server.',
}

describe('a proposal returns to a superseded decision', () => {
  test.each([
    'Move the builds back to Jenkins',
    'Run the nightly build on Jenkins, it has more memory',
    'Jenkins for the release build',
  ])('matches if it adopts a choice that only that decision made: %s', (text) => {
    expect(returnsTo(text, old, [successor])).toBe(true)
  })

  test.each([
    ['it shares the subject alone', 'Cache dependencies between builds'],
    ['it speaks against it', 'Remove the last Jenkins job instead of repairing it'],
    ['it names what the successor chose too', 'Run GitHub Actions beside Jenkins for a month'],
  ])('does not match if %s', (_why, text) => {
    expect(returnsTo(text, old, [successor])).toBe(false)
  })

  test('matches by the choice in the outcome if the title names nothing', () => {
    const cache = { title: 'A cache for hot reads', rationale: 'We use Memcached for hot reads.' }
    const next = {
      title: 'Hot reads without a cache',
      rationale: 'We read from Postgres, because Memcached was stale.',
    }
    expect(returnsTo('Put Memcached before the product pages', cache, [next])).toBe(true)
    expect(returnsTo('Add an index for the product pages', cache, [next])).toBe(false)
  })

  test('does not match if a later successor made the same choice again', () => {
    const again = { title: 'Build with Jenkins once more', rationale: 'We will use Jenkins.' }
    expect(returnsTo('Move the builds to Jenkins', old, [successor, again])).toBe(false)
  })

  test('matches by the words of its title if no name matches', () => {
    const cookies = { title: 'Keep sessions in signed cookies', rationale: 'No server keeps anything.' }
    const table = { title: 'Keep sessions in a table', rationale: 'They can be taken back at once.' }
    expect(returnsTo('Keep our sessions in signed cookies again', cookies, [table])).toBe(true)
    expect(returnsTo('Do not keep sessions in signed cookies', cookies, [table])).toBe(false)
    expect(returnsTo('Keep sessions for a week', cookies, [table])).toBe(false)
  })
})
