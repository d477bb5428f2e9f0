import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVictim, type Victim } from './hostile-clone.ts'

const TITLE = 'Orders live in PostgreSQL'

let user: Victim
beforeEach(() => (user = openVictim()))
afterEach(() => user.close())

const at = (...parts: string[]): string => join(user.home, 'work', ...parts)

const propose = (cwd: string, title = TITLE) =>
  user.run(cwd, 'propose_decision', {
    title,
    rationale: 'Transactions across orders and stock need one database that has them.',
  })

const listed = (cwd: string) => user.run(cwd, 'list_decisions')

async function start(repo: string, in_repo = false): Promise<void> {
  await user.run(repo, 'init', { in_repo })
  await propose(repo)
}

describe('a project is found through the repository', () => {
  test('in a worktree outside it without .ken, and in its folders', async () => {
    const repo = user.clone('shop', { 'README.md': 'x', 'src/a/b.ts': '' })
    await start(repo)
    user.git(repo, 'worktree', 'add', '-q', at('elsewhere', 'tree'))
    expect(existsSync(at('elsewhere', 'tree', '.ken'))).toBe(false)
    expect(await listed(at('elsewhere', 'tree'))).toContain(TITLE)
    expect(await listed(at('elsewhere', 'tree', 'src', 'a'))).toContain(TITLE)
    await propose(at('elsewhere', 'tree', 'src'), 'Stock lives beside the orders')
    expect(await listed(repo)).toContain('Stock lives beside the orders')
    expect(user.hook(at('elsewhere', 'tree'), 'session-start', '--client', 'claude-code').out).toContain(TITLE)
  })

  test('but not if it was renamed and is not attached again, which a search of the memory reports', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo)
    await user.run(repo, 'memory_write', { content: 'The invoice export times out at the proxy.' })
    renameSync(repo, at('store'))
    const search = () => user.run(at('store'), 'memory_query', { query: 'invoice export' })
    expect(await search()).toContain('run `ken attach` in it')
    user.ken(at('store'), 'attach', '--yes')
    const after = await search()
    expect(after).toContain('times out at the proxy')
    expect(after).not.toContain('ken attach')
  })

  test('in a worktree below the folder of another project', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo)
    const outer = user.clone('outer', { 'README.md': 'x' })
    await user.run(outer, 'init', {})
    user.git(repo, 'worktree', 'add', '-q', join(outer, 'trees', 'one'))
    expect(await listed(join(outer, 'trees', 'one'))).toContain(TITLE)
    expect(await listed(outer)).not.toContain(TITLE)
  })

  test('in every worktree of a bare repository, even if the bound worktree is gone', async () => {
    user.clone('source', { 'README.md': 'x' })
    const bare = at('shop', '.bare')
    mkdirSync(at('shop'), { recursive: true })
    user.git(user.home, 'clone', '-q', '--bare', at('source'), bare)
    for (const name of ['one', 'two']) user.git(bare, 'worktree', 'add', '-q', at('shop', name), '-b', name)
    await start(at('shop', 'one'))
    expect(await listed(at('shop', 'two'))).toContain(TITLE)
    user.git(bare, 'worktree', 'remove', '--force', at('shop', 'one'))
    expect(await listed(at('shop', 'two'))).toContain(TITLE)
    expect(await user.run(at('shop', 'two'), 'init')).toContain('already')
  })

  test('with the record of the tree that has one, if the worktree has none', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo, true)
    user.git(repo, 'worktree', 'add', '-q', at('tree'))
    expect(await listed(at('tree'))).toContain(TITLE)
    user.git(repo, 'add', '-A')
    user.git(repo, 'commit', '-qm', 'record')
    user.git(at('tree'), 'merge', '-q', 'main')
    await propose(at('tree'), 'Only on this branch')
    expect(await listed(at('tree'))).toContain('Only on this branch')
    expect(await listed(repo)).not.toContain('Only on this branch')
  })

  test('but not after the repository was removed from the project', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo)
    user.git(repo, 'worktree', 'add', '-q', at('tree'))
    await user.run(repo, 'adopt', { remove: true })
    expect(await listed(at('tree'))).toContain('Not a Ken project')
  })

  test('but not for a folder that only pretends to be a worktree of the repository', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo)
    mkdirSync(at('fake'))
    writeFileSync(at('fake', '.git'), `gitdir: ${repo}/.git\n`)
    expect(await listed(at('fake'))).not.toContain(TITLE)
    mkdirSync(at('fake2', '.git'), { recursive: true })
    writeFileSync(at('fake2', '.git', 'commondir'), `${repo}/.git\n`)
    expect(await listed(at('fake2'))).not.toContain(TITLE)
    // An archive can contain both ends of a worktree and claim to belong to another person's repository.
    const own = at('fake3', 'git', 'worktrees', 'tree')
    mkdirSync(own, { recursive: true })
    mkdirSync(at('fake3', 'tree'))
    writeFileSync(at('fake3', 'tree', '.git'), `gitdir: ${own}\n`)
    writeFileSync(join(own, 'gitdir'), `${at('fake3', 'tree', '.git')}\n`)
    writeFileSync(join(own, 'commondir'), `${repo}/.git\n`)
    expect(await listed(at('fake3', 'tree'))).not.toContain(TITLE)
  })
})

describe('a second clone', () => {
  const SAID = 'git joins the record as plain text in this clone'

  /** A repository with its record in git, and a second clone of it. */
  async function cloned(): Promise<{ repo: string; clone: string }> {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo, true)
    user.git(repo, 'add', '-A')
    user.git(repo, 'commit', '-qm', 'record')
    user.git(user.home, 'clone', '-q', repo, at('clone'))
    return { repo, clone: at('clone') }
  }

  test('is warned once about a missing merge driver, and by status and doctor until it is installed', async () => {
    const { repo, clone } = await cloned()
    expect(user.ken(repo, 'context').err).not.toContain(SAID)
    const first = user.ken(clone, 'list-decisions')
    expect([first.err.includes(SAID), first.err.includes('`ken init`'), first.out.includes(SAID)]).toEqual([
      true,
      true,
      false,
    ])
    expect(user.ken(clone, 'list-decisions').err).toBe('')
    for (const operation of ['status', 'doctor']) expect(await user.run(clone, operation)).toContain(SAID)
    expect((await user.exit(clone, 'doctor')).status).toBe(0)
    user.ken(clone, 'init')
    expect(user.git(clone, 'config', 'merge.ken.driver')).toContain('merge-driver')
    for (const operation of ['status', 'doctor']) expect(await user.run(clone, operation)).not.toContain(SAID)
  })

  test('gets no warning if the driver is installed globally, or if the record is not in git', async () => {
    const local = user.clone('local', { 'README.md': 'x' })
    await start(local)
    expect(await user.run(local, 'status')).not.toContain(SAID)
    expect(user.ken(local, 'list-decisions').err).toBe('')
  })

  test('does not get its record approved by `ken init`', async () => {
    const { clone } = await cloned()
    expect(await user.run(clone, 'init')).toContain('ken trust')
    expect(await user.run(clone, 'status')).toContain('from the clone')
  })

  test('reports the changes of a merge made outside Ken to a person, an agent and at session start', async () => {
    const { repo, clone } = await cloned()
    await user.run(clone, 'trust', { yes: true })
    const commit = (folder: string) => (user.git(folder, 'add', '-A'), user.git(folder, 'commit', '-qm', 'more'))
    const diverge = async (mine: string, theirs: string) => {
      await propose(repo, theirs)
      commit(repo)
      await propose(clone, mine)
      commit(clone)
      writeFileSync(join(clone, '.git/info/attributes'), '* merge=union\n')
      user.git(clone, 'pull', '-q', '--no-rebase', '--no-edit')
    }
    await diverge('Cache in Redis', 'Queue in Postgres')
    const { err } = user.ken(clone, 'list-decisions')
    expect(err).toMatch(/Settled a merge of the record: 003-\S+ is now 004-\S+;/)
    commit(clone)
    user.git(repo, 'pull', '-q', '--no-rebase', '--no-edit', clone, 'main')
    await diverge('Logs in files', 'Traces in a table')
    const before = user.git(clone, 'status', '--short')
    expect(user.hook(clone, 'session-start', '--client', 'claude-code').out).toContain('is not settled yet')
    expect(user.git(clone, 'status', '--short')).toBe(before)
    const { notice } = await asAgent(clone)
    expect(notice).toMatch(/Settled a merge of the record: 005-\S+ is now 006-\S+;/)
    expect((await asAgent(clone)).notice).toBe(undefined)
    expect(await user.run(clone, 'doctor')).toContain('Clean')
  })

  test('is bound only after confirmation if the record of the repository is in the home', async () => {
    const repo = user.clone('shop', { 'README.md': 'x' })
    await start(repo)
    user.git(repo, 'add', '-A')
    user.git(repo, 'commit', '-qm', 'binding')
    user.git(user.home, 'clone', '-q', repo, at('clone'))
    expect((await user.exit(at('clone'), 'init')).status).toBe(5)
    const asked: string[] = []
    const answer = await withAnswer(at('clone'), 'init', (question) => (asked.push(question), true))
    expect(answer).toMatchObject({ created: false, mode: 'local' })
    expect(asked.join()).toContain('would read and write the record')
    expect(await listed(at('clone'))).toContain(TITLE)
    rmSync(at('clone'), { recursive: true })
    expect(JSON.parse(readFileSync(join(repo, '.ken/config.json'), 'utf8'))).toMatchObject({ mode: 'local' })
  })

  async function withKen<T>(work: (ken: Awaited<ReturnType<typeof opened>>) => Promise<T>): Promise<T> {
    const ken = await opened()
    return work(ken).finally(() => ken.close())
  }

  const opened = async () =>
    (await import('../src/app/open.ts')).openKen(
      { HOME: user.home, KEN_HOME: user.kenHome, KEN_EMBEDDINGS: '0' },
      () => {},
    )

  const operationNamed = async (name: string) =>
    (await import('../src/operations/all.ts')).OPERATIONS.find((operation) => operation.name === name)!

  const asAgent = (cwd: string): Promise<Record<string, unknown>> =>
    withKen(async (ken) => {
      const { call } = await import('../src/operations/call.ts')
      const ctx = ken.context({ origin: { surface: 'mcp-stdio' }, cwd })
      return (await call(ctx, await operationNamed('list_decisions'), {})).output
    })

  const withAnswer = (cwd: string, name: string, confirm: (question: string) => boolean) =>
    withKen(async (ken) => {
      const { call } = await import('../src/operations/call.ts')
      const ctx = ken.context({ origin: { surface: 'cli' }, cwd, confirm: async (question) => confirm(question) })
      return (await call(ctx, await operationNamed(name), {})).output
    })
})
