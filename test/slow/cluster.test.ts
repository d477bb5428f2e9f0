import { expect, test } from 'vitest'
import { runCluster } from '../cluster/cluster.ts'
import { clusterTable } from '../cluster/report.ts'

// `npm run test:cluster` is the long version.
test('no acknowledged write is lost and no number is assigned twice while replicas and the database are killed', async () => {
  const report = await runCluster({
    replicas: 3,
    clients: 40,
    seconds: 30,
    killEvery: 8,
    pause: 500,
    writes: 0.3,
    outage: 2_000,
    say: () => undefined,
  })
  const told = clusterTable(report)
  expect(Object.values(report.broken).flat(), told).toEqual([])
  expect(report.kills, told).toBeGreaterThan(0)
  expect(report.ledger.writes.filter(({ outcome }) => outcome === 'landed').length, told).toBeGreaterThan(0)
  // Faults that a kill does not explain: their messages do not match the expected ones.
  const others = report.ledger.figures
    .flatMap(({ faults }) => Object.keys(faults))
    .filter((fault) => !EXPECTED.test(fault))
  expect([...others, ...report.faults], told).toEqual([])
  expect(report.mostMemory, told).toBeLessThan(700)
})

const EXPECTED =
  /^(?:cut|connecting|no replica)|The database cannot be reached|Another process changed the record|Another change is in progress/
