import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { openPostgresAnalystState } from '../../src/database/state/postgres/analyst-state.ts'

// A replica that writes into one chat until it is killed, and prints each acknowledged part.
const [url, chat, message] = process.argv.slice(2) as [string, string, string]
const database = await openPostgresDatabase({ url })
const { log } = openPostgresAnalystState(database, { project: 'shop', person: 'ada' })
for (let n = 1; ; n++) {
  const number = await log.append({ id: message, chat }, { kind: 'notice', text: `${n}` }, new Date().toISOString())
  process.stdout.write(`${number} ${n}\n`)
}
