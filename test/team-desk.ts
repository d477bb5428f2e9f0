import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../src/kernel/ports/clock.ts'
import type { Random } from '../src/kernel/ports/random.ts'
import type { SqlDatabase, SqlSession } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { openMailFolder } from '../src/team/mail/folder.ts'
import type { Mailer } from '../src/team/ports/mailer.ts'
import type { TeamPorts } from './contract/team-subject.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openTeamPorts } from './postgres/team-ports.ts'

/** A team server's people on PostgreSQL in this process, with mail in a folder and a clock set by the test. */
export interface TeamDesk extends TeamPorts {
  readonly clock: Clock
  readonly chance: Random
  readonly mailer: Mailer
  readonly database: SqlDatabase
  /** Statements sent to the database since the last call. */
  statements(): string[]
  wait(minutes: number): void
  /** Sent mails, oldest first. */
  mails(): string[]
  close(): Promise<void>
}

export async function openTeamDesk(): Promise<TeamDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-team-'))
  const engine = await openNewDatabase()
  let [time, asked]: [number, string[]] = [Date.UTC(2026, 2, 1, 9), []]
  const database: SqlDatabase = {
    ...engine,
    transaction: (scope, work) =>
      engine.transaction(scope, (sql) => {
        const session: SqlSession = {
          query: (text, values) => {
            asked.push(text)
            return sql.query(text, values)
          },
        }
        return work(session)
      }),
    batch: (scope, statements) => {
      asked.push(...statements.map(({ text }) => text))
      return engine.batch(scope, statements)
    },
  }
  const clock: Clock = { ...systemClock, now: () => new Date(time) }
  const ports = await openTeamPorts(database)
  const written: string[] = []
  return {
    ...ports,
    clock,
    database,
    chance: systemRandom,
    mailer: openMailFolder(folder, clock),
    statements: () => asked.splice(0),
    wait: (minutes) => {
      time += minutes * 60_000
    },
    mails: () => {
      for (const name of readdirSync(folder)) if (!written.includes(name)) written.push(name)
      return written.map((name) => readFileSync(join(folder, name), 'utf8'))
    },
    close: async () => {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
