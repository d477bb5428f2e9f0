import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ownSqlite } from '../../test/shop-database.ts'
import { openLiquidTemplates } from './adapters/liquid-templates.ts'
import { openDatabaseSource } from './database-source.ts'
import { databaseFields } from './domain/context-project/config.ts'
import type { Source } from './ports/source.ts'
import type { Warehouse } from './ports/warehouse.ts'
import { sqlite } from './warehouse/sqlite/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-database-source-'))
let warehouse: Warehouse
beforeAll(async () => {
  const owner = ownSqlite(join(folder, 'shop.db'))
  await owner.exec('CREATE TABLE pears (id INTEGER)')
  await owner.close()
  warehouse = await sqlite.open({ path: join(folder, 'shop.db') })
})
afterAll(async () => {
  await warehouse.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (documents: readonly string[], own: Readonly<Record<string, string>> = {}): Source =>
  openDatabaseSource({
    config: z.looseObject(databaseFields).parse({ name: 'shop', type: 'sqlite', documents }),
    warehouse,
    templates: openLiquidTemplates(),
    overrides: new Map(Object.entries(own).map(([name, text]) => [name, { name, text }])),
    redact: async (text) => ({ text, count: 0 }),
  })

test('rejects a document without a template before reading a table', () => {
  expect(() => open(['columns', 'histogram'])).toThrow('databases "shop": no document named "histogram".')
})

test('a project template adds a document', async () => {
  const source = open(['columns', 'histogram'], { histogram: 'Bars of {{ table.name }}' })
  const { items } = await source.list()
  const { documents } = await source.fetch(items[0]!)
  expect(documents.map(({ name }) => name)).toEqual(['columns.md', 'histogram.md'])
})
