// A harvest that is killed after the session files are on disk and before the cursor is stored.
import { openKen } from '../../src/app/open.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'

const ctx = openKen(process.env, () => {}).context({ origin: { surface: 'cli' }, cwd: process.cwd() })
const parts = await ctx.upkeep()
const keepCursor = async (): Promise<void> => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => setInterval(() => {}, 1000))
}
await call(
  { ...ctx, upkeep: async () => ({ ...parts, state: { ...parts.state, keepCursor } }) },
  OPERATIONS.find((op) => op.name === 'harvest')!,
  {},
)
