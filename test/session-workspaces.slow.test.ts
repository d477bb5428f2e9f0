import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { KEN } from './ken-program.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

const hash12 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
const at = (...parts: string[]): string => join(desk.home, ...parts)

const git = (cwd: string, ...argv: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
    cwd,
    env: { ...desk.environment, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'pipe',
  })

function repository(name: string): string {
  mkdirSync(at(name), { recursive: true })
  git(at(name), 'init', '-q', '-b', 'main')
  git(at(name), 'commit', '-q', '--allow-empty', '-m', 'first')
  return at(name)
}

const folder = (...parts: string[]): string => {
  mkdirSync(at(...parts), { recursive: true })
  return at(...parts)
}

const say = (id: string, cwd: string, word: string, ended = new Date().toISOString()): void =>
  speak(desk.home, { id, cwd, at: ended, said: [['Which bird?', `The ${word}.`]] })

const workspaces = (): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(desk.sessions()).map(([path, { session, workspace }]) => {
      expect(path.split('/')[0]).toBe(workspace)
      return [session, workspace]
    }),
  )

/** Number of hits for a word, searched from a folder. */
const found = async (cwd: string, word: string): Promise<number> => {
  const search = OPERATIONS.find(({ name }) => name === 'memory_search')!
  return ((await call(desk.context(cwd), search, { query: word })).output['results'] as unknown[]).length
}

describe('a session belongs to the repository', () => {
  test('in every folder or worktree of it, and is found from all of them', async () => {
    const shop = repository('shop')
    const deep = folder('shop', 'src', 'deep')
    git(shop, 'worktree', 'add', '-q', at('elsewhere', 'tree'))
    const inTree = folder('elsewhere', 'tree', 'src')
    say('root', shop, 'albatross')
    say('deep', deep, 'bustard')
    say('tree', at('elsewhere', 'tree'), 'cassowary')
    say('in-tree', inTree, 'dotterel')
    await desk.run('harvest')
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(shop)]))
    for (const cwd of [shop, deep, at('elsewhere', 'tree'), inTree])
      for (const word of ['albatross', 'bustard', 'cassowary', 'dotterel'])
        expect([cwd, word, await found(cwd, word)]).toEqual([cwd, word, 1])
    expect(await found(folder('other'), 'albatross')).toBe(0)
  }, 60_000)

  test('a nested repository is separate, and so is a folder without git', async () => {
    const outer = repository('outer')
    const inner = repository('outer/vendor/inner')
    const plain = folder('plain', 'notes')
    say('outer', folder('outer', 'vendor'), 'albatross')
    say('inner', folder('outer', 'vendor', 'inner', 'src'), 'bustard')
    say('plain', plain, 'cassowary')
    await desk.run('harvest')
    expect(workspaces()).toEqual({ outer: hash12(outer), inner: hash12(inner), plain: hash12(plain) })
  })

  test('a home directory under git does not make one project of everything in it', async () => {
    git(desk.home, 'init', '-q', '-b', 'main')
    const notes = folder('notes')
    say('notes', notes, 'albatross')
    say('home', desk.home, 'bustard')
    await desk.run('harvest')
    expect(workspaces()).toEqual({ notes: hash12(notes), home: hash12(desk.home) })
  })

  test('all worktrees of a bare repository are one project', async () => {
    const source = repository('source')
    git(desk.home, 'clone', '-q', '--bare', source, at('shop', '.bare'))
    for (const name of ['one', 'two']) git(at('shop', '.bare'), 'worktree', 'add', '-q', at('shop', name), '-b', name)
    for (const name of ['one', 'two']) say(name, at('shop', name), name)
    await desk.run('harvest')
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(at('shop', '.bare'))]))
  })

  test('a symbolic link counts as the folder it points to', async () => {
    const shop = repository('shop')
    symlinkSync(shop, at('link'))
    say('link', at('link'), 'albatross')
    await desk.run('harvest')
    expect(workspaces()).toEqual({ link: hash12(shop) })
  })
})

describe('a deleted folder', () => {
  test('keeps the workspace found while it existed, in every later harvest', async () => {
    const shop = repository('shop')
    git(shop, 'worktree', 'add', '-q', at('tree'))
    say('tree', at('tree'), 'cassowary')
    await desk.run('harvest')
    git(shop, 'worktree', 'remove', '--force', at('tree'))
    say('later', at('tree'), 'dotterel')
    await desk.run('harvest', { again: true })
    expect(workspaces()).toEqual({ tree: hash12(shop), later: hash12(shop) })
  })

  test('is assigned to the repository it was in, or to the one that lists it as a worktree', async () => {
    const shop = repository('shop')
    git(shop, 'worktree', 'add', '-q', at('tree'))
    rmSync(at('tree'), { recursive: true })
    say('tree', at('tree', 'src'), 'albatross')
    say('inside', at('shop', '.claude', 'worktrees', 'one'), 'bustard')
    say('root', shop, 'cassowary')
    await desk.run('harvest')
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(shop)]))
  })

  test('is not assigned to an archive that lists it as a worktree, nor to either of two such archives', async () => {
    const before = new Date(Date.now() - 1000).toISOString()
    say('victim', at('gone'), 'albatross', before)
    for (const name of ['evil', 'worse']) {
      const own = folder(name, '.git', 'worktrees', 'x')
      writeFileSync(join(own, 'gitdir'), `${at('gone', '.git')}\n`)
      writeFileSync(join(own, 'commondir'), '../..\n')
    }
    say('evil', at('evil'), 'bustard')
    await desk.run('harvest')
    expect(workspaces()['victim']).toBe(hash12(at('gone')))
    say('worse', at('worse'), 'dotterel')
    say('both', at('gone'), 'cassowary', new Date(Date.now() + 60_000).toISOString())
    await desk.run('harvest')
    expect(workspaces()['both']).toBe(hash12(at('gone')))
  })
})

describe('a clone that pretends to be a worktree', () => {
  test('gets no sessions of the repository that it names', async () => {
    const shop = repository('shop')
    git(shop, 'worktree', 'add', '-q', at('tree'))
    say('root', shop, 'albatross')
    await desk.run('harvest')
    const pretend = (name: string, text: string): string => {
      writeFileSync(join(folder(name), '.git'), text)
      return at(name)
    }
    const own = folder('both-ends', 'git', 'worktrees', 'tree')
    writeFileSync(join(own, 'gitdir'), `${at('both-ends', 'tree', '.git')}\n`)
    writeFileSync(join(own, 'commondir'), `${shop}/.git\n`)
    mkdirSync(at('linked'))
    symlinkSync(join(shop, '.git'), at('linked', '.git'))
    const common = folder('common', '.git')
    writeFileSync(join(common, 'commondir'), `${shop}/.git\n`)
    for (const cwd of [
      pretend('plain', `gitdir: ${shop}/.git\n`),
      pretend('entry', `gitdir: ${shop}/.git/worktrees/tree\n`),
      pretend('both-ends/tree', `gitdir: ${own}\n`),
      at('linked'),
      at('common'),
    ]) {
      expect([cwd, await found(cwd, 'albatross')]).toEqual([cwd, 0])
      say('evil', cwd, 'bustard')
      await desk.run('harvest')
      expect([cwd, workspaces()['evil']]).toEqual([cwd, hash12(cwd)])
    }
    expect(await found(at('tree'), 'albatross')).toBe(1)
  }, 60_000)
})

describe('sessions in the location of an earlier version', () => {
  /** Moves the session files into folders named after the recorded path. */
  function asBefore(): void {
    for (const [path, { project }] of Object.entries(desk.sessions())) {
      const old = at('.ken', 'sessions', hash12(project!), path.split('/')[1]!)
      mkdirSync(dirname(old), { recursive: true })
      const text = readFileSync(at('.ken', 'sessions', path), 'utf8')
      writeFileSync(old, text.replace(/^workspace: .*$/m, `workspace: "${hash12(project!)}"`))
      if (!path.startsWith(hash12(project!))) rmSync(at('.ken', 'sessions', path))
    }
    rmSync(at('.ken', 'index.db'), { force: true })
  }

  async function earlier(): Promise<string> {
    const shop = repository('shop')
    for (let i = 0; i < 20; i++) say(`s${i}`, folder('shop', `part${i % 4}`), `bird${i}`)
    await desk.run('harvest')
    await desk.close('keep')
    asBefore()
    expect(new Set(Object.values(workspaces())).size).toBe(4)
    return shop
  }

  const harvestProcess = (): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [KEN, 'harvest'], {
        cwd: desk.home,
        env: desk.environment,
        stdio: 'ignore',
      })
      child.on('close', resolve)
    })

  test('are moved by the next harvest, even with several at once, and the index follows', async () => {
    const shop = await earlier()
    expect(await Promise.all([1, 2, 3].map(harvestProcess))).toEqual([0, 0, 0])
    expect(Object.keys(desk.sessions())).toHaveLength(20)
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(shop)]))
    expect(await found(shop, 'bird7')).toBe(1)
    const { results } = await desk.run('memory_search', { query: 'bird7', workspace: 'all' })
    expect(results).toHaveLength(1)
    expect(await desk.run('harvest')).toMatchObject({ indexed: { added: 0, removed: 0 } })
  }, 60_000)

  test('are moved once, even if a killed process left them half moved', async () => {
    const shop = await earlier()
    const [first, second] = Object.keys(desk.sessions()) as [string, string]
    const moved = (path: string) => at('.ken', 'sessions', hash12(shop), path.split('/')[1]!)
    mkdirSync(dirname(moved(first)), { recursive: true })
    // Killed between writing the new file and removing the old one, and while writing another.
    const text = readFileSync(at('.ken', 'sessions', first), 'utf8')
    writeFileSync(moved(first), text.replace(/^workspace: .*$/m, `workspace: "${hash12(shop)}"`))
    writeFileSync(join(dirname(moved(second)), `.${second.split('/')[1]}.0011223344556677.tmp`), 'half')
    await desk.run('harvest')
    expect(Object.keys(desk.sessions())).toHaveLength(20)
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(shop)]))
    const { results } = await desk.run('memory_search', { query: 'bird1', workspace: 'all' })
    expect(results).toHaveLength(1)
  })

  test('stay where they are if a repository moves', async () => {
    const shop = await earlier()
    await desk.run('harvest')
    renameSync(shop, at('store'))
    await desk.run('harvest', { again: true })
    expect(new Set(Object.values(workspaces()))).toEqual(new Set([hash12(shop)]))
    expect(existsSync(at('store', '.git'))).toBe(true)
  })
})
