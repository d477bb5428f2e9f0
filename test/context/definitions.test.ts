import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openContext } from '../../src/app/open-context.ts'
import { contextDefinitions } from '../../src/app/providers.ts'
import { SETTINGS } from '../../src/app/settings.ts'
import { openYamlTrust } from '../../src/context/adapters/yaml-trust.ts'
import { compileContext } from '../../src/context/compile-context.ts'
import { configJsonSchema } from '../../src/context/domain/context-project/config.ts'
import { kindNamed, proposeByFields, proposeByPlace } from '../../src/context/domain/context-project/propose-entry.ts'
import { PLAIN_NAMES, spelling, type SqlDialect } from '../../src/context/domain/sql/dialect.ts'
import { noRoles } from '../../src/context/domain/sql/reader-role.ts'
import { knownFunctions } from '../../src/context/domain/sql/refused-functions.ts'
import type { ContextProject } from '../../src/context/ports/context-project.ts'
import { defineSource } from '../../src/context/ports/source.ts'
import { defineWarehouse, type Warehouse } from '../../src/context/ports/warehouse.ts'
import { openYamlSettings } from '../../src/kernel/system/settings.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

/** Postcards in a file, and `peek` for a path that is not named by `reach`. */
const postcards = defineSource({
  key: 'postcards',
  kind: 'postcard',
  entries: 'list',
  config: z.strictObject({
    name: z.string(),
    album: z.string(),
    sender: z.string().optional(),
    peek: z.string().optional(),
    stamp: z.string().optional(),
  }),
  secrets: ['stamp'],
  reach: ({ album, sender }) => [{ opens: album }, ...(sender === undefined ? [] : [{ fetches: sender }])],
  async open({ name, album, sender, peek }, parts) {
    const text = readFileSync(parts.path(peek ?? album), 'utf8')
    if (sender !== undefined) parts.address(sender)
    return {
      list: async () => ({
        items: [{ id: name, title: name, path: `docs/${name}.md`, fingerprint: text, maxAgeDays: undefined }],
        skipped: [],
      }),
      fetch: async () => ({ documents: [{ name: '', text, framed: true }], table: undefined }),
      close: async () => undefined,
    }
  },
})

const toyDialect: SqlDialect = {
  name: 'abacus',
  names: PLAIN_NAMES,
  functions: knownFunctions({ values: 'sum', rows: '', schemas: [] }),
  role: noRoles,
  spelling: spelling({ text: 'TEXT', double: 'REAL' }),
}

const abacus = defineWarehouse({
  type: 'abacus',
  label: 'Abacus',
  place: 'file',
  connection: z.strictObject({ path: z.string(), rods: z.number().optional() }),
  secrets: [],
  async open({ path }): Promise<Warehouse> {
    const table = { database: 'abacus', schema: 'main', name: readFileSync(path, 'utf8').trim() }
    const summary = { ...table, kind: 'table' as const, comment: undefined, fingerprint: 'one' }
    const more = { primaryKey: [], foreignKeys: [], indexes: [], partitions: [], rows: undefined, viewSql: undefined }
    const columns = [{ name: 'bead', type: 'integer', nullable: false, default: undefined, comment: undefined }]
    return {
      dialect: toyDialect,
      tables: async () => [{ ...summary, ...more, columns }],
      describe: async () => ({ ...summary, ...more, columns }),
      parse: async () => ({ statements: [], error: 'an abacus reads no SQL' }),
      query: async () => ({ columns: [{ name: 'bead', type: 'integer' }], rows: [[1]], truncated: false, bytes: 1 }),
      history: async () => [],
      quote: (name) => name,
      close: async () => undefined,
    }
  },
})

const TOYS = { sources: [postcards], warehouses: [abacus] }

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk({}, { trusted: false })
  desk.write('album.txt', 'Greetings from the sea.\n')
  desk.write('beads.txt', 'beads\n')
  desk.write('../private.txt', 'a diary\n')
})
afterEach(() => desk.close())

const trust = () => openYamlTrust(desk.path('../home/trusted.yaml'))

async function withProject<T>(config: object, use: (project: ContextProject) => Promise<T>): Promise<T> {
  desk.write('ken.yaml', JSON.stringify({ name: 'toys', ...config }))
  const settings = openYamlSettings({
    path: desk.path('../home/config.yml'),
    definitions: SETTINGS,
    environment: {},
    warn: () => {},
  })
  const environment = { STAMP: 'a-rare-old-stamp' }
  const projects = await openContext(
    { environment, cache: desk.path('../cache'), state: desk.path('../home/contexts'), trust: trust(), settings },
    TOYS,
  )
  try {
    return await use(await projects.around(desk.root))
  } finally {
    await projects.close()
  }
}

const build = (config: object) =>
  withProject(config, (project) =>
    compileContext(project, {
      only: [],
      threads: 2,
      write: true,
      force: false,
      now: () => new Date(),
      language: async () => undefined,
      signal: undefined,
      progress: () => {},
    }),
  )

const trustAll = (config: object) =>
  withProject(config, async (project) => {
    const granted = Object.fromEntries(project.reach().map(({ key, lines }) => [key, lines]))
    trust().grant({ root: project.root, at: '2026-01-01', granted })
  })

const sea = { name: 'sea', album: 'album.txt' }

describe('a custom source and database', () => {
  test('are compiled without changes to other code', async () => {
    const report = await build({
      postcards: [sea],
      databases: [{ name: 'shop', type: 'abacus', path: 'beads.txt', documents: ['columns'] }],
    })
    expect(report.failures).toEqual([])
    expect(desk.read('docs/sea.md')).toContain('Greetings from the sea.')
    expect(desk.read('databases/type=abacus/database=abacus/schema=main/table=beads/columns.md')).toContain('bead')
    expect(desk.read('llms.txt')).toContain('docs/sea.md')
  })

  test.each([
    [
      'a path outside',
      { postcards: [{ ...sea, album: '../private.txt' }] },
      /postcard\/sea is not trusted.*read .*private/,
    ],
    ['an address', { postcards: [{ ...sea, sender: 'https://sea.example' }] }, /would fetch https:\/\/sea\.example/],
    ['a variable', { postcards: [{ ...sea, stamp: '${STAMP}' }] }, /would take STAMP from the environment/],
    [
      'a database outside',
      { databases: [{ name: 'far', type: 'abacus', path: '../private.txt' }] },
      /would read .*private/,
    ],
  ])('are refused %s until the user trusts it', async (_what, config, refusal) => {
    const before = await build(config)
    expect(before.failures.map(({ message }) => message).join('\n')).toMatch(refusal)
    await trustAll(config)
    expect((await build(config)).failures).toEqual([])
  })

  test('may not open resources that `reach` does not name, even when trusted', async () => {
    const config = { postcards: [{ ...sea, peek: '../private.txt' }] }
    await trustAll(config)
    const { failures } = await build(config)
    expect(failures[0]?.message).toContain('postcard does not declare that it reaches ../private.txt')
  })

  test('a field declared as a secret must be a reference, and its value is redacted', async () => {
    const { failures } = await build({ postcards: [{ ...sea, stamp: 'a-rare-old-stamp' }] })
    expect(failures[0]?.message).toContain('"stamp" contains a plain-text secret')
    const config = { postcards: [{ ...sea, stamp: '${STAMP}' }] }
    await trustAll(config)
    desk.write('album.txt', 'Look: a-rare-old-stamp!\n')
    await build(config)
    expect(desk.read('docs/sea.md')).toContain('Look: [redacted]!')
  })

  test('appear in messages, the wizard and the editor schema; undefined ones are refused', async () => {
    await expect(build({ postcard: [] })).rejects.toThrow('"postcard" is not known')
    await expect(build({ postcards: [{ ...sea, albun: 'x' }] })).rejects.toMatchObject({
      hint: 'Did you mean "album"?',
    })
    await expect(build({ notion: { token: '${STAMP}' } })).rejects.toThrow('"notion" is not known')
    const config = { databases: [{ name: 'odd', type: 'abacuss', path: 'beads.txt' }] }
    await trustAll(config)
    expect((await build(config)).failures[0]?.message).toContain('no type named "abacuss". Did you mean "abacus"?')
    const typed = { databases: [{ name: 'odd', type: 'abacus', path: 'beads.txt', rods: '${STAMP}' }] }
    await trustAll(typed)
    expect((await build(typed)).failures[0]?.message).toContain('databases "odd": "rods" must be a number')
    expect(JSON.stringify(configJsonSchema(TOYS))).toMatch(/"postcards".*"abacus"|"abacus".*"postcards"/)
  })

  test('can be added by name and fields, without extra code', () => {
    const [beads, cards] = ['abacus', 'postcards'].map((word) => kindNamed(word, TOYS)!)
    expect(proposeByFields(beads!, ['path=beads.txt', 'rods=12']).fields).toEqual({ path: 'beads.txt', rods: 12 })
    expect(proposeByPlace(beads!, 'beads.txt').fields).toEqual({ path: 'beads.txt' })
    expect(proposeByFields(cards!, ['album=a.txt', 'stamp=${STAMP}']).fields).toEqual({
      album: 'a.txt',
      stamp: '${STAMP}',
    })
    expect(() => proposeByFields(cards!, ['albun=a.txt'])).toThrow(
      expect.objectContaining({ hint: 'Did you mean "album"?' }),
    )
    expect(kindNamed('duckdb', TOYS)).toBeUndefined()
  })
})

test('no two definitions share a name', async () => {
  const { sources, warehouses } = await contextDefinitions()
  const keys = ['name', 'databases', 'templates', ...sources.map(({ key }) => key)]
  const kinds = ['database', 'templates', ...sources.map(({ kind }) => kind)]
  const types = warehouses.map(({ type }) => type)
  for (const names of [keys, kinds, types, [...kinds, ...types]]) expect(new Set(names).size).toBe(names.length)
})

/** An incomplete definition does not compile; `tsc` fails if one of these lines does. */
void (() => {
  const config = z.strictObject({ token: z.string() })
  const open = async (): Promise<never> => Promise.reject(new Error('never'))
  // @ts-expect-error without `reach`
  defineSource({ key: 'a', kind: 'a', entries: 'one', config, secrets: [], open })
  // @ts-expect-error a list whose entries have no name
  defineSource({ key: 'a', kind: 'a', entries: 'list', config, secrets: [], reach: () => [], open })
  // @ts-expect-error a secret that is not a field
  defineSource({ key: 'a', kind: 'a', entries: 'one', config, secrets: ['tokn'], reach: () => [], open })
  // @ts-expect-error a file without a path
  defineWarehouse({ type: 'a', label: 'A', place: 'file', connection: config, secrets: [], open })
  // @ts-expect-error without `place`, which decides what trust is asked for
  defineWarehouse({ type: 'a', label: 'A', connection: config, secrets: [], open })
})
