import { expect, test } from 'vitest'
import { leaks } from './soak/leaks.ts'
import { soak } from './soak/soak.ts'

// The long version is `node test/soak/run.ts`.
const SECONDS = 20

test('watching, harvesting and searching while files change: no errors, lost or stale documents, or leaks', async () => {
  const { errors, lost, stale, use, changes, searches, harvests, cycles } = await soak(SECONDS)
  expect({ errors, lost, stale, leaks: leaks(use) }).toEqual({ errors: [], lost: [], stale: [], leaks: [] })
  for (const count of [changes, searches, harvests, cycles]) expect(count).toBeGreaterThan(0)
}, 400_000)
