import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const SCHEMA = 'src/database/schema'

/** Table changes that a later version may make: columns of the busiest tables, an index, a new table. */
const NEXT = `import { ownRows } from '../own-rows.ts'

/** A migration of a future version. */
export const next = {
  name: 'next',
  statements: () => [
    'ALTER TABLE ken.records ADD COLUMN next text',
    "ALTER TABLE ken.tokens ADD COLUMN next text NOT NULL DEFAULT ''",
    'CREATE INDEX record_events_next ON ken.record_events (project, revision)',
    'CREATE TABLE ken.next_things (project text NOT NULL REFERENCES ken.projects ON DELETE CASCADE, id int)',
    ...ownRows('next_things'),
  ],
}
`

export interface NextVersion {
  /** Its bin/ken.js. */
  readonly ken: string
  remove(): void
}

/** A copy of this Ken with one additional migration. */
export function makeNextVersion(): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'ken-next-'))
  for (const name of readdirSync(ROOT)) {
    if (name === 'src' || name === 'bin') cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    else if (!name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name))
  }
  const list = join(folder, SCHEMA, 'index.ts')
  const text = readFileSync(list, 'utf8')
  const longer = text.replace(/,?\s*\]\.map\(/, ', next].map(')
  if (longer === text) throw new Error(`${SCHEMA}/index.ts has another shape than expected`)
  writeFileSync(list, `import { next } from './next.ts'\n${longer}`)
  writeFileSync(join(folder, SCHEMA, 'next.ts'), NEXT)
  return { ken: join(folder, 'bin/ken.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
