// In the place of Ken's server: is tied to the Ken that wants it, as the real one is, and writes down its environment.
import { writeFileSync } from 'node:fs'
import { tetheredEnvironment } from '../../src/app/tethered-environment.ts'

const { environment, cut } = await tetheredEnvironment(process.env)
writeFileSync(process.argv[2]!, JSON.stringify(environment))
process.stdout.write('ready\n')
await Promise.race([cut, new Promise((ended) => process.stdin.resume().once('end', ended))])
process.exit(0)
