import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { openPostgresAuthorizations } from '../src/team/authorizations/postgres/index.ts'
import { describeAuthorizations } from './contract/authorizations.contract.ts'
import { openOAuthDesk, PERSON } from './oauth/oauth-desk.ts'
import { addPerson } from './postgres/add-person.ts'
import { openNewDatabase } from './postgres/run-server.ts'

let database: SqlDatabase

beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.close())

describeAuthorizations('PostgreSQL', async () => ({
  store: openPostgresAuthorizations(database),
  addPerson: () => addPerson(database),
}))

test('a login leaves no code and no token in the database, only their hashes', async () => {
  const id = await addPerson(database)
  await database.transaction('server', (sql) =>
    sql.query('UPDATE ken.people SET id = $1 WHERE id = $2', [PERSON.id, id]),
  )
  const desk = await openOAuthDesk({ store: openPostgresAuthorizations(database) })
  const { client, code, verifier, tokens } = await desk.loggedIn()
  const next = (await (await desk.refresh(client, tokens.refresh_token)).json()) as typeof tokens
  const device = await (await desk.post('/oauth/device', [['client_id', 'ken-cli']])).json()
  expect((await desk.use(next.access_token)).status).toBe(200)
  const rows = await database.transaction('server', async (sql) => {
    const found: unknown[] = []
    for (const table of ['clients', 'grants', 'codes', 'access_tokens', 'refresh_tokens', 'devices', 'tallies'])
      found.push(...(await sql.query(`SELECT * FROM ken.oauth_${table}`)))
    return JSON.stringify(found)
  })
  expect(rows).toContain(client)
  const { device_code: deviceCode, user_code: userCode } = device as { device_code: string; user_code: string }
  const secrets = [code, verifier, deviceCode, userCode, userCode.replace('-', ''), '192.0.2.1']
  for (const secret of [...secrets, ...Object.values(tokens), ...Object.values(next)].filter(
    (one) => String(one).length > 8,
  ))
    expect(rows).not.toContain(secret)
  expect((await desk.redeem(client, { code, verifier })).status).toBe(400)
  expect((await desk.use(next.access_token)).status).toBe(401)
  await desk.close()
})

test('a tenant cannot read people’s grants', async () => {
  for (const table of ['grants', 'clients', 'codes', 'access_tokens', 'refresh_tokens', 'devices', 'tallies'])
    await expect(
      database.transaction({ project: 'p', person: 'q' }, (sql) => sql.query(`SELECT * FROM ken.oauth_${table}`)),
    ).rejects.toThrow(/permission denied/)
})
