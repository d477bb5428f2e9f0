import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../../test/contract/decision-text.ts'
import { ORIGIN, titles, useFileRecord, write } from '../../../../test/file-record.ts'

const { at, home, open, put, state } = useFileRecord()

describe('a record on disk', () => {
  test('opening writes nothing; the first change creates the folder', async () => {
    rmSync(at(), { recursive: true })
    const store = await open()
    expect(await store.catalogue()).toMatchObject({ decisions: [], unreadable: [] })
    expect(existsSync(at())).toBe(false)
    await write(store, { 'project.md': '# P\n' })
    expect(readFileSync(at('project.md'), 'utf8')).toBe('# P\n')
    expect([readdirSync(at()).toSorted(), readdirSync(state()).toSorted()]).toEqual([
      ['decisions', 'journal', 'project.md'],
      ['head.json', 'lock'],
    ])
  })

  test('a file keeps its permissions when it is replaced', async () => {
    put({ 'project.md': 'old' })
    chmodSync(at('project.md'), 0o640)
    await write(await open(), { 'project.md': 'new' })
    expect(statSync(at('project.md')).mode & 0o777).toBe(0o640)
  })

  test('pipes are never opened, and a decision file that is a pipe is reported', async () => {
    put(Object.fromEntries([decisionFile(1, 'One')]))
    for (const path of ['stack.md', 'decisions/002-pipe.md']) execFileSync('mkfifo', [at(path)])
    const store = await open()
    await expect(store.read('stack.md')).rejects.toMatchObject({ message: 'stack.md is not a plain file' })
    expect((await store.catalogue()).unreadable).toMatchObject([
      { path: 'decisions/002-pipe.md', message: expect.stringContaining('is not a plain file') },
    ])
  })

  test('symbolic links are not followed, wherever in the path they are', async () => {
    put(Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(join(home(), 'secret.md'), 'secret')
    mkdirSync(join(home(), 'outside'))
    symlinkSync(join(home(), 'secret.md'), at('stack.md'))
    symlinkSync(join(home(), 'outside'), at('context'))
    symlinkSync(join(home(), 'secret.md'), at('decisions', '002-link.md'))
    const store = await open()
    for (const path of ['stack.md', 'context/x.md', 'decisions/002-link.md']) {
      await expect(store.read(path)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(write(store, { 'project.md': 'x', [path]: 'stolen' })).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await store.list()).toEqual(['decisions/001-one.md'])
    expect((await store.catalogue()).unreadable).toMatchObject([{ path: 'decisions/002-link.md' }])
    expect([
      readFileSync(join(home(), 'secret.md'), 'utf8'),
      readdirSync(join(home(), 'outside')),
      existsSync(at('project.md')),
    ]).toEqual(['secret', [], false])
  })

  test('a record that is itself a link is refused, and so is foreign crash state in it', async () => {
    symlinkSync(at(), join(home(), 'linked'))
    await expect(open({ root: join(home(), 'linked') })).rejects.toMatchObject({ code: 'forbidden' })
    mkdirSync(join(home(), 'elsewhere'))
    symlinkSync(join(home(), 'elsewhere'), at('.txn'))
    writeFileSync(join(home(), 'elsewhere', '01JQAAAAAAAAAAAAAAAAAAAAAA.intent'), 'x')
    await write(await open(), { 'project.md': 'x' })
    expect(readdirSync(join(home(), 'elsewhere'))).toEqual(['01JQAAAAAAAAAAAAAAAAAAAAAA.intent'])
  })

  test('a file in place of a folder is reported in one sentence with a hint', async () => {
    put({ decisions: 'I am a file' })
    const store = await open()
    await expect(store.catalogue()).rejects.toMatchObject({ code: 'damaged', hint: expect.any(String) })
    await expect(write(store, { 'decisions/001-x.md': 'x' })).rejects.toMatchObject({ code: 'damaged' })
  })

  test('bytes that are not text are reported, and the rest of the record works', async () => {
    put(Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(at('decisions', '002-x.md'), Buffer.from([0xff, 0xfe, 0x00]))
    const store = await open()
    await expect(store.read('decisions/002-x.md')).rejects.toMatchObject({ code: 'damaged' })
    expect(await titles(store)).toEqual(['One'])
    expect((await store.catalogue()).unreadable).toMatchObject([{ path: 'decisions/002-x.md', kind: 'unreadable' }])
    await write(store, Object.fromEntries([decisionFile(3, 'Three')]), 'with a broken file beside')
    expect(Object.keys((await store.snapshots.read(1))!.files)).toEqual([
      'decisions/001-one.md',
      'decisions/003-three.md',
    ])
    await store.commit(ORIGIN, async (draft) => draft.remove('decisions/002-x.md'))
    expect([existsSync(at('decisions', '002-x.md')), await store.verify()]).toEqual([false, []])
  })
})
