import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'

let count = 0

/** Adds a person in a new organisation. */
export async function addPerson(database: SqlDatabase): Promise<string> {
  const id = `person ${process.pid} ${++count}`
  await database.transaction('server', async (sql) => {
    await sql.query('INSERT INTO ken.organisations VALUES ($1, $1, now())', [id])
    await sql.query("INSERT INTO ken.people VALUES ($1, $1, 'a@example.com', 'A', 'member', now())", [id])
  })
  return id
}
