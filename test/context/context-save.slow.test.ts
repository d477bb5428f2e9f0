import { symlinkSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk({ SHOP_PASSWORD: 'correct-horse-battery' }, { trusted: false })
  desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER PRIMARY KEY)')
  desk.write('ken.yaml', YAML)
  desk.write('RULES.md', '# Rules\n')
})
afterEach(() => desk.close())

const YAML = 'name: shop\n# mine\ndatabases:\n  - name: shop\n    type: sqlite\n    path: shop.db\n'
const WITH_SECRET = `${YAML}  - name: crm\n    type: postgres\n    host: db.example\n    database: crm\n    user: app\n    password: hunter2-and-more\n`

const save = async (text: string, file = 'ken.yaml') => {
  const { version } = await desk.run('context_show', { file })
  return desk.run('context_save', { file, text, expect: version })
}

describe('ken.yaml and RULES.md, shown and saved', () => {
  it('round-trip without a changed byte, including secrets, a byte order mark and other line endings', async () => {
    for (const text of [YAML, WITH_SECRET, `\uFEFF${YAML.replaceAll('\n', '\r\n')}`]) {
      desk.write('ken.yaml', text)
      const shown = await desk.run('context_show', {})
      expect(shown['text']).not.toContain('hunter2')
      const saved = await desk.run('context_save', { file: 'ken.yaml', text: shown['text'], expect: shown['version'] })
      expect(saved['wrote']).toBe(false)
      expect(desk.read('ken.yaml')).toBe(text)
    }
  })

  it('never write a redaction mark, nor a secret into a readable field', async () => {
    desk.write('ken.yaml', WITH_SECRET)
    const { text } = await desk.run('context_show', {})
    expect(text).toContain('password: [redacted 1]')
    await save(text.replace('# mine', '# yours'))
    expect(desk.read('ken.yaml')).toBe(WITH_SECRET.replace('# mine', '# yours'))
    await expect(save(text.replace('host: db.example', 'host: "[redacted 1].elsewhere.example"'))).rejects.toThrow(
      /Line 9/,
    )
    await expect(save(text.replace('[redacted 1]', '[redacted]'))).rejects.toThrow(/Line 12/)
    expect(desk.read('ken.yaml')).toBe(WITH_SECRET.replace('# mine', '# yours'))
    await save(text.replace('[redacted 1]', '${CRM_PASSWORD}'))
    expect(desk.read('ken.yaml')).toContain('password: ${CRM_PASSWORD}')
  })

  it('refuse a new secret in both files', async () => {
    await expect(save(WITH_SECRET)).rejects.toThrow('Line 12 would contain a plain-text secret.')
    await expect(save('# Rules\n\n- The password is: hunter2-and-more-of-it\n', 'RULES.md')).rejects.toThrow(/Line 3/)
    expect(desk.read('ken.yaml')).toBe(YAML)
  })

  it('do not overwrite a concurrent change', async () => {
    const { version, text } = await desk.run('context_show', { file: 'RULES.md' })
    desk.write('RULES.md', '# Rules\n\n- Theirs.\n')
    await expect(
      desk.run('context_save', { file: 'RULES.md', text: `${text}\n- Mine.\n`, expect: version }),
    ).rejects.toThrow('has changed since')
    expect(desk.read('RULES.md')).toContain('Theirs')
  })

  it('are created if missing, and the version of a missing file is valid only until then', async () => {
    rmSync(desk.path('RULES.md'))
    const shown = await desk.run('context_show', { file: 'RULES.md' })
    expect(shown).toMatchObject({ exists: false, text: '' })
    await desk.run('context_save', { file: 'RULES.md', text: '# Rules\n', expect: shown['version'] })
    expect(desk.read('RULES.md')).toBe('# Rules\n')
    await expect(desk.run('context_save', { file: 'RULES.md', text: 'x\n', expect: shown['version'] })).rejects.toThrow(
      'has changed since',
    )
  })

  it('stay in their folder: no link is followed, and no other file can be named', async () => {
    writeFileSync(desk.path('../elsewhere.md'), 'theirs')
    rmSync(desk.path('RULES.md'))
    symlinkSync(desk.path('../elsewhere.md'), desk.path('RULES.md'))
    await expect(desk.run('context_show', { file: 'RULES.md' })).rejects.toThrow()
    await expect(desk.run('context_save', { file: 'RULES.md', text: 'x\n' })).rejects.toThrow()
    await expect(desk.run('context_save', { file: '../elsewhere.md', text: 'x\n' })).rejects.toThrow(/must be one of/)
    await expect(desk.run('context_show', { file: '.env' })).rejects.toThrow(/must be one of/)
    expect(desk.read('../elsewhere.md')).toBe('theirs')
  })

  it('refuse to save an unreadable ken.yaml, but show an existing one', async () => {
    await expect(save('name: shop\ndatabase: []\n')).rejects.toThrow(/"database" is not known/)
    expect(desk.read('ken.yaml')).toBe(YAML)
    desk.write('ken.yaml', 'name: [\n')
    const shown = await desk.run('context_show', { schema: true })
    expect(shown['text']).toBe('name: [\n')
    expect(shown['schema'].properties.databases).toBeDefined()
    await desk.run('context_save', { file: 'ken.yaml', text: YAML, expect: shown['version'] })
    expect(desk.read('ken.yaml')).toBe(YAML)
  })

  it('refuse to change a text that is not shown completely', async () => {
    for (const text of ['# Rules\n\n- a\u200Bb\n', `# Rules\n\n- The word is correct-horse-battery.\n`]) {
      desk.write('RULES.md', text)
      desk.write(
        'ken.yaml',
        `${YAML}  - name: crm\n    type: postgres\n    host: h\n    database: d\n    password: \${SHOP_PASSWORD}\n`,
      )
      const shown = await desk.run('context_show', { file: 'RULES.md' })
      expect(shown['fixed']).toContain('Change it in an editor')
      expect(shown['text']).not.toContain('correct-horse')
      await expect(
        desk.run('context_save', { file: 'RULES.md', text: shown['text'], expect: shown['version'] }),
      ).rejects.toThrow('was not saved')
      expect(desk.read('RULES.md')).toBe(text)
    }
  })

  it('do not become trusted by being saved', async () => {
    const saved = await save(`${YAML}  - name: crm\n    type: postgres\n    host: db.example\n    database: crm\n`)
    expect(saved['changes']).toEqual({ added: ['database/crm'], removed: [], changed: [] })
    expect(saved['untrusted']).toMatchObject([
      { entry: 'database/crm', reaches: expect.arrayContaining(['host db.example']) },
    ])
    const seen = await desk.run('trust', {})
    await save(`${YAML}  - name: crm\n    type: postgres\n    host: evil.example\n    database: crm\n`)
    await expect(desk.run('trust', { yes: true, seen: seen['mark'] })).rejects.toThrow('has changed since you saw it')
    const again = await desk.run('trust', {})
    expect((await desk.run('trust', { yes: true, seen: again['mark'] }))['outcome']).toBe('trusted')
  })
})

describe('a ken.yaml dry run', () => {
  it('reports planned changes and compilation, and writes nothing', async () => {
    desk.sqlite('more.db', 'CREATE TABLE a (id INTEGER)', 'CREATE TABLE b (id INTEGER)')
    const before = desk.files()
    const text = 'name: shop\ndatabases:\n  - name: more\n    type: sqlite\n    path: more.db\n'
    const plan = await desk.run('context_plan', { text, compile: true })
    expect(plan).toMatchObject({
      usable: true,
      diagnostics: [],
      changes: { added: ['database/more'], removed: ['database/shop'], changed: [] },
    })
    expect(plan['sources']).toMatchObject([{ source: 'database/more', listed: 2 }])
    expect(plan['sources'][0].due).toHaveLength(2)
    expect(desk.files()).toEqual(before)
  })

  it('opens nothing that is not trusted', async () => {
    const text = `${YAML}  - name: crm\n    type: postgres\n    host: db.example\n    database: crm\n`
    const plan = await desk.run('context_plan', { text, compile: true })
    expect(plan['untrusted']).toMatchObject([{ entry: 'database/crm' }])
    expect(plan['sources'].find((one: { source: string }) => one.source === 'database/crm').error).toContain(
      'not trusted',
    )
  })

  it('names the lines of all errors, including those that prevent saving', async () => {
    const plan = await desk.run('context_plan', { text: 'name: shop\nx: 1\ny: 2\n' })
    expect(plan['usable']).toBe(false)
    expect(plan['diagnostics'].map((one: { line: number }) => one.line)).toContain(2)
    const secret = await desk.run('context_plan', { text: WITH_SECRET })
    expect(secret['diagnostics'][0]).toMatchObject({ line: 12, message: expect.stringContaining('secret') })
    expect(JSON.stringify(secret)).not.toContain('hunter2')
  })
})

describe('source kinds', () => {
  it('list their fields, which of them are required, and which are secret', async () => {
    const { kinds } = await desk.run('source_kinds', {})
    const postgres = kinds.find((one: { word: string }) => one.word === 'postgres')
    expect(postgres.fields.find((one: { name: string }) => one.name === 'password')).toMatchObject({ secret: true })
    const duckdb = kinds.find((one: { word: string }) => one.word === 'duckdb')
    expect(duckdb.fields.find((one: { name: string }) => one.name === 'path')).toMatchObject({
      required: true,
      type: 'text',
    })
  })
})
