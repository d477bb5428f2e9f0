import { openContextDesk } from './context/context-desk.ts'

const MANIFEST = '.ken/context-manifest.jsonl'

/** The files of a compiled context as committed: one database with the table `orders`, and rules. */
export async function compiledContext(): Promise<Readonly<Record<string, string>>> {
  const desk = openContextDesk()
  desk.sqlite(
    'shop.db',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, amount INTEGER)',
    'INSERT INTO orders VALUES (1, 40)',
  )
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  desk.write('RULES.md', '- `orders.amount` is in euros.\n')
  await desk.sync()
  const files = { ...desk.files(), [MANIFEST]: desk.read(MANIFEST), 'shop.db': '' }
  await desk.close()
  return files
}
