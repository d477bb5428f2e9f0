// `node test/soak/run.ts [minutes]`: the long soak, 30 minutes by default. Exits with 1 if something went wrong.
import { leaks } from './leaks.ts'
import { soak } from './soak.ts'

const minutes = Number(process.argv[2] ?? 30)
const report = await soak(minutes * 60, (line) => console.log(line))
const grown = leaks(report.use)
console.log(JSON.stringify({ minutes, ...report, leaks: grown }, null, 2))
process.exit(report.errors.length + report.lost.length + report.stale.length + grown.length > 0 ? 1 : 0)
