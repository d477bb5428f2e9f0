// `node test/cluster/run.ts [--clients 500] [--seconds 300] [--replicas 3] …`: a team server under load while its parts
// are killed. Exits with 1 when a promise was broken.
import { parseArgs } from 'node:util'
import { runCluster } from './cluster.ts'
import { clusterTable } from './report.ts'

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
const { values } = parseArgs({
  options: {
    replicas: text('3'),
    clients: text('500'),
    seconds: text('300'),
    'kill-every': text('20'),
    pause: text('5000'),
    writes: text('0.2'),
    outage: text('3000'),
    'most-memory': text('700'),
  },
})
const report = await runCluster({
  replicas: Number(values.replicas),
  clients: Number(values.clients),
  seconds: Number(values.seconds),
  killEvery: Number(values['kill-every']),
  pause: Number(values.pause),
  writes: Number(values.writes),
  outage: Number(values.outage),
  say: (line) => console.log(line),
})
console.log(clusterTable(report))
const isBroken = Object.values(report.broken).some((list) => list.length > 0)
const isLarge = report.mostMemory > Number(values['most-memory'])
if (isLarge) console.log(`A replica took more than ${values['most-memory']} MB.`)
// A shorter run ends before caches are full.
const isLong = report.memory.length > 1_800
const growth = quarterMean(3) / quarterMean(1)
if (isLong) console.log(`Memory of the replica that lived: the last quarter is ${growth.toFixed(2)} times the second.`)
process.exit(isBroken || isLarge || (isLong && growth > 1.2) ? 1 : 0)

function quarterMean(quarter: number): number {
  const size = report.memory.length / 4
  const part = report.memory.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size))
  return part.reduce((sum, one) => sum + one, 0) / part.length
}
