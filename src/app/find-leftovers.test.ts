import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeConfig } from '../kernel/projects/repository-config.ts'
import type { Leftover } from '../setup/ports/leftovers.ts'
import { openLeftovers } from './find-leftovers.ts'

let folder: string
let repository: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-leftovers-')))
  repository = join(folder, 'repository')
  mkdirSync(repository)
  execFileSync('git', ['init', '--quiet', repository])
})
afterEach(() => rmSync(folder, { recursive: true }))

const find = openLeftovers({
  home: join(tmpdir(), 'ken-no-such-home'),
  modelKeys: { list: async () => ({ keys: [] }) } as never,
  userService: async () => ({ state: async () => ({ isInstalled: false, isRunning: false }) }) as never,
})

async function contexts(): Promise<Leftover[]> {
  return (await find([repository], { data: true })).filter(({ kind }) => kind === 'context')
}

function write(path: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'name: shop\n')
}

test('a context project that git does not track is deleted with its folder', async () => {
  write(join(repository, '.ken/context/ken.yaml'))
  for (const { kept, remove } of await contexts()) {
    expect(kept).toBeUndefined()
    await remove()
  }
  expect(existsSync(join(repository, '.ken'))).toBe(false)
})

test('a context project with any file that git tracks is kept', async () => {
  write(join(repository, '.ken/context/ken.yaml'))
  write(join(repository, '.ken/context/RULES.md'))
  execFileSync('git', ['-C', repository, 'add', '.ken/context/RULES.md'])
  expect(await contexts()).toMatchObject([{ kept: 'git tracks it' }])
})

test.each(['.ken', '.ken/context'])('nothing behind a link at %s is deleted', async (link) => {
  const other = join(folder, 'other', link)
  write(join(folder, 'other/.ken/context/ken.yaml'))
  write(join(folder, 'other/.ken/config.json'))
  mkdirSync(join(repository, link, '..'), { recursive: true })
  symlinkSync(other, join(repository, link))
  const found = await contexts()
  expect(found).toMatchObject([{ kept: 'a link leads out of the repository' }])
  removeConfig(repository)
  expect(existsSync(join(folder, 'other/.ken/context/ken.yaml'))).toBe(true)
  expect(existsSync(join(folder, 'other/.ken/config.json'))).toBe(true)
})
