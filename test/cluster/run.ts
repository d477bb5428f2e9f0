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
process.exit(isBroken || isLarge ? 1 : 0)
