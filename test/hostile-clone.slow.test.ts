import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decisionFile } from './contract/decision-text.ts'
import { openVictim, type Victim } from './hostile-clone.ts'

const ID = '01JQ0000000000000000000000'
const CONFIG = { '.ken/config.json': JSON.stringify({ mode: 'repo', id: ID, name: 'Orchard', schema_version: 1 }) }
const [PATH, TEXT] = decisionFile(1, 'Use PostgreSQL for orders')
const RECORD = { ...CONFIG, '.ken/record/project.md': '# Orchard\n', [`.ken/record/${PATH}`]: TEXT }

let victim: Victim
beforeEach(() => (victim = openVictim()))
afterEach(() => victim.close())

/** An unfinished change as left by a crash, in the format that recovery reads. */
const intent = (writes: readonly object[], more: object = {}) => {
  const body = JSON.stringify({ id: '01JQAAAAAAAAAAAAAAAAAAAAAA', writes, removes: [], appends: [], ...more })
  return `${createHash('sha256').update(body).digest('hex')}\n${body}`
}

const UNFINISHED = {
  '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.intent': intent([{ path: 'project.md', text: 'echo owned\n' }]),
  '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.recovered': '-> ../../../../../.bashrc',
}

/** Opens a record, reads all of it and writes to it. */
async function useClone(clone: string): Promise<void> {
  await victim.run(clone, 'get_context')
  await victim.run(clone, 'verify')
  await victim.run(clone, 'propose_decision', {
    title: 'Cache the product pages',
    rationale: 'They are read far more often than they change.',
  })
  await victim.run(clone, 'update_state', { delta: 'The pages are cached now, as decided.' })
  await victim.run(clone, 'log')
}

describe('a hostile clone', () => {
  test('cannot overwrite a user’s file with a change it pretends to have left unfinished', async () => {
    const clone = victim.clone('evil', { ...RECORD, ...UNFINISHED })
    victim.ken(clone, 'context')
    victim.hook(clone, 'session-start')
    await useClone(clone)
    expect(victim.tree()['.bashrc']).toBe('export PRECIOUS=1\n')
    expect(readFileSync(join(clone, '.ken/record/project.md'), 'utf8')).toBe('# Orchard\n')
  })

  test('cannot add an unfinished change through a later pull', async () => {
    const clone = victim.clone('evil', RECORD)
    await useClone(clone)
    victim.git(clone, 'stash', '-q', '-u')
    victim.pull('evil', UNFINISHED)
    victim.ken(clone, 'context')
    victim.hook(clone, 'session-start')
    await useClone(clone)
    expect(victim.tree()['.bashrc']).toBe('export PRECIOUS=1\n')
  })

  test('cannot delete the files of a folder as leftovers of a crash', async () => {
    const clone = victim.clone('evil', { ...RECORD, '.ken/record/.txn': '-> ../../../../.ssh' })
    victim.ken(clone, 'context')
    victim.hook(clone, 'session-start')
    await useClone(clone)
    expect(victim.tree()).toMatchObject({ '.ssh/id_ed25519': 'a private key\n', '.ssh/config': 'Host example\n' })
    expect(Object.keys(victim.tree()).filter((path) => path.startsWith('.ssh/'))).toHaveLength(2)
  })

  test.each([
    'snapshots/.gitignore',
    '.gitattributes',
    'snapshots/pack.jsonl',
    'journal/events.jsonl',
    'project.md',
    'open-questions.md',
    'state_current.md',
    '.decision-hashes.json',
    'decisions/002-cache-the-product-pages.md',
  ])('cannot write or read the user’s file through a link at %s', async (path) => {
    const up = '../'.repeat(path.split('/').length + 3)
    const clone = victim.clone('evil', { ...RECORD, [`.ken/record/${path}`]: `-> ${up}.bashrc` })
    const before = victim.tree('.ken', 'work')
    await useClone(clone)
    expect(victim.tree('.ken', 'work')).toEqual(before)
    expect(await victim.run(clone, 'get_context')).not.toContain('PRECIOUS')
  })

  test.each([
    '.ken/record/decisions',
    '.ken/record/snapshots',
    '.ken/record/journal',
    '.ken/record/context',
    '.ken/record',
    '.ken',
  ])('cannot write or read anything through a folder that is a link: %s', async (path) => {
    const target = join(victim.home, 'private')
    const up = '../'.repeat(path.split('/').length + 1)
    const files = Object.fromEntries(Object.entries(RECORD).filter(([name]) => !name.startsWith(`${path}/`)))
    const clone = victim.clone('evil', { ...files, [path]: `-> ${up}private` })
    const [name, text] = decisionFile(7, 'A private decision')
    for (const [inside, words] of Object.entries({
      'config.json': CONFIG['.ken/config.json'],
      [name.split('/')[1]!]: text,
      [name]: text,
      [`record/${name}`]: text,
      'v001.json': '{}',
      'events.jsonl': '',
    }))
      put(join(target, inside), words)
    const before = victim.tree('.ken', 'work')
    await useClone(clone)
    expect(victim.tree('.ken', 'work')).toEqual(before)
    expect((await victim.run(clone, 'get_context')) + (await victim.run(clone, 'list_decisions'))).not.toContain(
      'A private decision',
    )
  })

  test('leaves no crash state of the record in the repository', async () => {
    const clone = victim.clone('honest', RECORD)
    await useClone(clone)
    expect(existsSync(join(clone, '.ken/record/.txn'))).toBe(false)
  })
})

describe('a clone that names another project', () => {
  const secret = 'Sell the orchard to the highest bidder'
  const propose = (cwd: string, title: string) =>
    victim.ken(
      cwd,
      'propose',
      title,
      '--rationale',
      'It is what the founders agreed on last week, for reasons of their own.',
    )

  /** A private record in the user's own repository, stored under KEN_HOME. */
  function privateProject(): { id: string; repo: string } {
    const repo = victim.clone('mine', { 'README.md': 'mine' })
    victim.ken(repo, 'init', 'Mine')
    propose(repo, secret)
    return { id: JSON.parse(readFileSync(join(repo, '.ken/config.json'), 'utf8')).id as string, repo }
  }

  test('neither reads nor writes the record of that project, and reports it, until the user attaches it', () => {
    const { id, repo } = privateProject()
    const clone = victim.clone('evil', {
      '.ken/config.json': JSON.stringify({ mode: 'local', id, name: 'Mine', schema_version: 1 }),
    })
    for (const args of [
      ['context'],
      ['list-decisions'],
      ['search-decisions', 'orchard'],
      ['get-decision', '2'],
      ['status'],
      ['init'],
      ['adopt', '--dry-run'],
      ['agents-md', '--dry-run'],
      ['search', 'orchard bidder'],
    ]) {
      const { out, err, status } = victim.ken(clone, ...args)
      expect([args, (out + err).includes(secret)]).toEqual([args, false])
      if (args[0] !== 'search') expect([args, status, err.includes('ken attach')]).toEqual([args, 5, true])
    }
    expect(victim.hook(clone, 'session-start').out).not.toContain(secret)
    expect(propose(clone, 'Give everything away').status).toBe(5)
    expect(victim.ken(repo, 'list-decisions').out).not.toContain('Give everything away')

    expect(victim.ken(clone, 'attach')).toMatchObject({
      status: 1,
      out: expect.stringContaining('Nothing was bound yet'),
    })
    expect(victim.ken(clone, 'context').status).toBe(5)
    expect(victim.ken(clone, 'attach', '--yes').status).toBe(0)
    expect(victim.ken(clone, 'list-decisions').out).toContain(secret)
  })

  test('opens nothing if the name arrives with a pull into a folder bound to another project', () => {
    const { id } = privateProject()
    const clone = victim.clone('shared', { 'README.md': 'x' })
    victim.ken(clone, 'init', 'Shared')
    victim.git(clone, 'clean', '-fdq')
    victim.pull('shared', {
      '.ken/config.json': JSON.stringify({ mode: 'local', id, name: 'Shared', schema_version: 1 }),
    })
    const { out, err, status } = victim.ken(clone, 'context')
    expect([status, (out + err).includes(secret)]).toEqual([5, false])
  })

  test('does not access the tree of a repo-mode project by its id', () => {
    const first = victim.clone('first', { 'README.md': 'x' })
    victim.ken(first, 'init', 'Twin', '--in-repo')
    const config = readFileSync(join(first, '.ken/config.json'), 'utf8')
    const clone = victim.clone('second', { ...RECORD, '.ken/config.json': config })
    const before = victim.tree('.ken', 'work/second')
    const { id } = JSON.parse(config) as { id: string }
    for (const args of [
      ['init'],
      ['propose', 'A decision of the second', '--rationale', 'It is made in the second clone and belongs there.'],
      [
        'propose',
        'Another one of the second',
        '--rationale',
        'It names the project by its id, and still belongs there.',
        '--project',
        id,
      ],
      ['agents-md'],
      ['jot', 'a word'],
    ])
      victim.ken(clone, ...args)
    expect(victim.tree('.ken', 'work/second')).toEqual(before)
    expect(victim.ken(clone, 'list-decisions').out).toContain('Another one of the second')
    expect(victim.ken(first, 'list-decisions').out).not.toContain('of the second')
  })

  test('a worktree of the user’s own repository has the same binding', () => {
    const { repo } = privateProject()
    victim.git(repo, 'add', '-A')
    victim.git(repo, 'commit', '-qm', 'config')
    const tree = join(victim.home, 'work', 'tree')
    victim.git(repo, 'worktree', 'add', '-q', tree)
    expect(victim.ken(tree, 'list-decisions').out).toContain(secret)
  })

  test('a folder that only pretends to be a worktree does not get the binding', () => {
    const { repo, id } = privateProject()
    const fake = join(victim.home, 'work', 'fake')
    put(join(fake, '.ken/config.json'), JSON.stringify({ mode: 'local', id, name: 'Mine', schema_version: 1 }))
    put(join(fake, '.git'), `gitdir: ${repo}/.git\n`)
    const { out, err, status } = victim.ken(fake, 'context')
    expect([status, (out + err).includes(secret)]).toEqual([5, false])
  })

  test('a missing record is reported as such, never shown as an empty one', () => {
    const { id, repo } = privateProject()
    rmSync(join(victim.kenHome, 'projects', id), { recursive: true })
    for (const args of [['context'], ['check', 'anything at all'], ['list-decisions']])
      expect(victim.ken(repo, ...args)).toMatchObject({ status: 8, err: expect.stringContaining('is not there') })
    expect(victim.ken(repo, 'init').status).toBe(8)
    expect(existsSync(join(victim.kenHome, 'projects', id))).toBe(false)
    expect(victim.ken(repo, 'reconnect', '--start-new', '--yes').status).toBe(0)
    expect(victim.ken(repo, 'context').status).toBe(0)
  })

  test('a record from a clone is the user’s only after `ken trust`', () => {
    const clone = victim.clone('theirs', RECORD)
    const status = () =>
      JSON.parse(victim.ken(clone, 'trust', '--json').out) as {
        outcome: string
        projects: { entries: { entry: string }[] }[]
      }
    expect(status()).toMatchObject({ outcome: 'unanswered', projects: [{ entries: [{ entry: 'record' }] }] })
    expect(victim.ken(clone, 'init').out).toContain('came with this clone')
    expect(status().outcome).toBe('unanswered')
    expect(victim.ken(clone, 'trust', '--yes').status).toBe(0)
    expect(status().outcome).toBe('needless')
    expect(victim.ken(clone, 'trust', '--revoke').status).toBe(0)
    expect(status().outcome).toBe('unanswered')
  })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
