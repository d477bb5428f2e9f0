// Replaces Ken's server: exits with the Ken that started it, like the real one, and records its environment.
import { writeFileSync } from 'node:fs'
import { tetheredEnvironment } from '../../src/app/tethered-environment.ts'

const { environment, cut } = await tetheredEnvironment(process.env)
writeFileSync(process.argv[2]!, JSON.stringify(environment))
process.stdout.write('ready\n')
await Promise.race([cut, new Promise((ended) => process.stdin.resume().once('end', ended))])
process.exit(0)
