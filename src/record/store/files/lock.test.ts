import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ORIGIN, useFileRecord, write } from '../../../../test/file-record.ts'

const { open, state } = useFileRecord()

describe('the lock', () => {
  const HOLDER = `
    import { DatabaseSync } from 'node:sqlite'
    const lock = new DatabaseSync(process.argv[1])
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`

  test('writing times out while another process holds the lock, but reading works; the lock is released when that process dies', async () => {
    const store = await open({ lockTimeoutMs: 60 })
    await write(store, { 'project.md': 'one' })
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, state('lock')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    await expect(write(store, { 'project.md': 'two' })).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.any(String),
    })
    expect(await store.read('project.md')).toBe('one')
    holder.kill('SIGKILL')
    await new Promise((resolve) => holder.once('exit', resolve))
    await write(store, { 'project.md': 'two' })
    expect([await store.read('project.md'), readdirSync(state()).toSorted()]).toEqual(['two', ['head.json', 'lock']])
  })

  test('a nested change fails instead of deadlocking', async () => {
    const store = await open({ lockTimeoutMs: 50 })
    await expect(store.commit(ORIGIN, () => write(store, { 'project.md': 'x' }))).rejects.toMatchObject({
      code: 'unavailable',
    })
    await write(store, { 'project.md': 'y' })
  })

  test('after a lock file is deleted and recreated, only the new one locks', async () => {
    const [first, second] = [await open({ lockTimeoutMs: 40 }), await open({ lockTimeoutMs: 40 })]
    await write(first, { 'project.md': 'one' })
    rmSync(state(), { recursive: true })
    await write(second, { 'project.md': 'two' })
    await second.commit(ORIGIN, async () => {
      await expect(write(first, { 'project.md': 'three' })).rejects.toMatchObject({ code: 'unavailable' })
    })
  })

  test('a lock file that is not empty is reported as damaged', async () => {
    mkdirSync(state(), { recursive: true })
    writeFileSync(state('lock'), 'not a database, but long enough to be taken for one '.repeat(50))
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'damaged' })
  })
})
