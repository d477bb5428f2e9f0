import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'

// Redacts the record of a repository and reports when it begins, so that a test can kill it half way.
const [home, repo] = process.argv.slice(2) as [string, string]
const ken = openKen(
  { HOME: home, PATH: process.env['PATH'] ?? '', KEN_HOME: home, KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' },
  () => {},
)
const context = ken.context({ origin: { surface: 'cli' }, cwd: repo })
await (await context.record()).journal()
process.send!('begin')
await call(
  context,
  OPERATIONS.find((operation) => operation.name === 'redact')!,
  { yes: true },
)
await ken.close()
process.disconnect()
