// Runs jobs until it is stopped or killed, and records in the database when each began and ended: `node job-worker.ts
// <url> <name>`.
import { setTimeout } from 'node:timers/promises'
import { runJobs } from '../../src/app/run-jobs.ts'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { openPostgresJobs } from '../../src/team/jobs/postgres/index.ts'

const [url, name] = process.argv.slice(2) as [string, string]
const database = await openPostgresDatabase({ url, connections: 6 })
const note = (text: string, job: string) => database.transaction('server', (sql) => sql.query(text, [job, name]))

const worker = await runJobs({
  jobs: openPostgresJobs(database, { clock: { ulid: () => crypto.randomUUID() } }),
  concurrency: 4,
  lease: 5_000,
  poll: 1_000,
  handlers: {
    async embedding({ payload }) {
      const job = String(payload)
      await note('INSERT INTO runs (job, worker, began) VALUES ($1, $2, clock_timestamp())', job)
      await setTimeout(60)
      await note('UPDATE runs SET ended = clock_timestamp() WHERE job = $1 AND worker = $2 AND ended IS NULL', job)
    },
  },
  tell: ({ event, ...rest }) => {
    if (event === 'trouble') process.stderr.write(`${JSON.stringify(rest)}\n`)
  },
})
process.stdout.write('ready\n')
process.once('SIGTERM', () => void worker.stop().then(() => database.close()))
