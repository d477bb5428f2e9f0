/** The baseline: plain SQLite. FTS5 with external content joined by rowid, porter stems, transactions of 500. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [folder, path] = process.argv.slice(2) as [string, string]
const database = new DatabaseSync(path)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE page (id INTEGER PRIMARY KEY, path TEXT, title TEXT, body TEXT);
  CREATE VIRTUAL TABLE page_fts USING fts5(title, body, content='page', content_rowid='id', tokenize='porter unicode61')`)
const page = database.prepare('INSERT INTO page VALUES (?, ?, ?, ?)')
const words = database.prepare('INSERT INTO page_fts (rowid, title, body) VALUES (?, ?, ?)')
const files = globSync('**/*.md', { cwd: folder }).sort()
for (const [i, file] of files.entries()) {
  if (i % 500 === 0) database.exec(i === 0 ? 'BEGIN' : 'COMMIT; BEGIN')
  const body = readFileSync(join(folder, file), 'utf8')
  const title = /^title: (.*)$/m.exec(body)?.[1] ?? file
  page.run(i, file, title, body)
  words.run(i, title, body)
}
database.exec('COMMIT')
database.close()
