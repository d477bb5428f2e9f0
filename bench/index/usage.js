import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded before the measured program: writes CPU seconds and peak memory in bytes when it ends, threads included.
if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    writeFileSync(process.env.USAGE_FILE, `${(userCPUTime + systemCPUTime) / 1e6} ${maxRSS * 1024}`)
  })
}
