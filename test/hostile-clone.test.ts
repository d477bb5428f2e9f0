import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** A change as a crash would have left it, in the words of the format that recovery reads. */
const intent = (writes: readonly object[], more: object = {}) => {
  const body = JSON.stringify({ id: '01JQAAAAAAAAAAAAAAAAAAAAAA', writes, removes: [], appends: [], ...more })
  return `${createHash('sha256').update(body).digest('hex')}\n${body}`
}

/** Everything that opens a record. */
function useClone(clone: string): void {
  for (const args of [['context'], ['status'], ['check', 'move orders to MySQL'], ['doctor'], ['verify'], ['log'], ['propose', 'Cache the product pages', '--rationale', 'They are read far more often than they change.'], ['repair', '--yes'], ['note', 'a word'], ['trust', '--yes']]) {
    victim.ken(clone, ...args)
  }
  for (const event of ['session-start', 'prompt-submit', 'user-prompt-submit']) victim.hook(clone, event)
}

describe('a hostile clone', () => {
  test('cannot have a file of the user overwritten by a change it pretends to have left unfinished', () => {
    const clone = victim.clone('evil', {
      ...RECORD,
      '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.intent': intent([{ path: 'project.md', text: 'echo owned\n' }]),
      '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.recovered': '-> ../../../../../.bashrc',
    })
    useClone(clone)
    expect(victim.tree()['.bashrc']).toBe('export PRECIOUS=1\n')
    expect(readFileSync(join(clone, '.ken/record/project.md'), 'utf8')).toBe('# Orchard\n')
  })

  test('cannot bring such a change later, with a pull', () => {
    const clone = victim.clone('evil', RECORD)
    useClone(clone)
    victim.git(clone, 'stash', '-q', '-u')
    victim.pull('evil', {
      '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.intent': intent([{ path: 'project.md', text: 'echo owned\n' }]),
      '.ken/record/.txn/01JQAAAAAAAAAAAAAAAAAAAAAA.recovered': '-> ../../../../../.bashrc',
    })
    useClone(clone)
    expect(victim.tree()['.bashrc']).toBe('export PRECIOUS=1\n')
  })

  test('cannot have the files of a folder deleted as the litter of a crash', () => {
    const clone = victim.clone('evil', { ...RECORD, '.ken/record/.txn': '-> ../../../../.ssh' })
    useClone(clone)
    expect(victim.tree()).toMatchObject({ '.ssh/id_ed25519': 'a private key\n', '.ssh/config': 'Host example\n' })
    expect(Object.keys(victim.tree()).filter((path) => path.startsWith('.ssh/'))).toHaveLength(2)
  })

  test.each(['snapshots/.gitignore', '.gitattributes', 'snapshots/pack.jsonl', 'journal/events.jsonl', 'project.md', 'open-questions.md', 'state_current.md', '.decision-hashes.json', 'decisions/002-cache-the-product-pages.md'])(
    'cannot have the user’s file written or read through a link at %s',
    (path) => {
      const up = '../'.repeat(path.split('/').length + 3)
      const clone = victim.clone('evil', { ...RECORD, [`.ken/record/${path}`]: `-> ${up}.bashrc` })
      const before = victim.tree('.ken', 'work')
      useClone(clone)
      expect(victim.tree('.ken', 'work')).toEqual(before)
      expect(victim.ken(clone, 'context').out).not.toContain('PRECIOUS')
    },
  )

  test.each(['.ken/record/decisions', '.ken/record/snapshots', '.ken/record/journal', '.ken/record/context', '.ken/record', '.ken'])('cannot have anything written or read through a folder that is a link: %s', (path) => {
    const target = join(victim.home, 'private')
    const up = '../'.repeat(path.split('/').length + 1)
    const files = Object.fromEntries(Object.entries(RECORD).filter(([name]) => !name.startsWith(`${path}/`)))
    const mine = victim.clone('other', { 'x.md': 'x' })
    victim.git(mine, 'mv', 'x.md', 'y.md')
    const clone = victim.clone('evil', { ...files, [path]: `-> ${up}private` })
    const [name, text] = decisionFile(7, 'A private decision')
    for (const [inside, words] of Object.entries({ 'config.json': CONFIG['.ken/config.json'], [name.split('/')[1]!]: text, [name]: text, [`record/${name}`]: text, 'v001.json': '{}', 'events.jsonl': '' })) put(join(target, inside), words)
    const before = victim.tree('.ken', 'work')
    useClone(clone)
    expect(victim.tree('.ken', 'work')).toEqual(before)
    expect(victim.ken(clone, 'context').out + victim.ken(clone, 'list-decisions').out).not.toContain('A private decision')
  })

  test('leaves no crash state of the record in the repository', () => {
    const clone = victim.clone('honest', RECORD)
    useClone(clone)
    expect(existsSync(join(clone, '.ken/record/.txn'))).toBe(false)
  })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
