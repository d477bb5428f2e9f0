import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { makeSnapshot, serializeSnapshot } from '../src/record/domain/snapshot/snapshot.ts'
import { seededChance } from './crash/seeded-chance.ts'
import { openTruthDesk, type TruthDesk } from './truth-desk.ts'

let desk: TruthDesk
afterEach(() => desk.close())

// Assembled at run time, so that no scanner takes this file for a leak.
const SECRETS = {
  github: ['ghp', 'w7Xk2mQ9rT4vB8nL1zC6yH3jF5dS0aG7pE2u'].join('_'),
  stripe: ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dcQ8mN'].join('_'),
  aws: ['AKIA', 'Z7QX4KLM2NPR8TVW'].join(''),
  password: 'Tr0ub4dor-Zx91',
}
const ALL = Object.values(SECRETS)

/** Files that contain one of the texts, in any case, in their bytes or in an unpacked snapshot. */
function holding(texts: readonly string[]): string[] {
  const has = (text: string) => texts.some((wanted) => text.toLowerCase().includes(wanted.toLowerCase()))
  return [...desk.bytes()]
    .filter(
      ([path, text]) =>
        has(path) ||
        has(text) ||
        (path.endsWith('pack.jsonl') &&
          text
            .split('\n')
            .filter(Boolean)
            .some((line) => has(unfolded(line)))),
    )
    .map(([path]) => path)
}

function unfolded(line: string): string {
  const { payload, plain } = JSON.parse(line) as { payload: string; plain?: true }
  const bytes = Buffer.from(payload, 'base64')
  return (plain === true ? bytes : brotliDecompressSync(bytes)).toString('utf8')
}

/** Puts secrets into every place in a record, as an older Ken, other programs and people may have left them. */
async function leak(): Promise<void> {
  const stem = await desk.propose('Cache in memory')
  const store = await desk.store()
  const decision = `decisions/${stem}.md`
  await store.commit({ surface: 'cli', client: `agent ${SECRETS.github}` }, async (draft) => {
    draft.write(decision, (await draft.read(decision))!.replace('because that', `with ${SECRETS.github} because that`))
    draft.write('state_current.md', `# Current State\n\n- Deployed with password=${SECRETS.password}\n`)
    draft.note('update_decision', { decision: stem, note: `key "${SECRETS.aws}"`, [SECRETS.aws]: 1 })
    draft.snapshot(`decision: ${SECRETS.stripe}`, `more ${SECRETS.stripe}`)
  })
  await store.commit({ surface: 'cli' }, async (draft) => {
    draft.write('open-questions.md', `# Open Questions\n\n- [Q1] Is ${SECRETS.stripe} still valid?\n`)
    draft.write('context/brief.md', `The login is ${SECRETS.password}, as said before.\n`)
    draft.write('state_current.md', '# Current State\n\n- Deployed.\n')
    draft.snapshot('state')
  })
  const titled = `decisions/050-use-${SECRETS.aws.toLowerCase()}.md`
  await store.commit({ surface: 'cli' }, async (draft) => {
    draft.write(
      titled,
      (await draft.read(decision))!
        .replace(/# \d+ — .*/, `# 050 — Use ${SECRETS.aws}`)
        .replace('measured', 'measured once'),
    )
    draft.snapshot('decision: titled')
  })
  await desk.run('accept')
  desk.put(
    'snapshots/v900.json',
    serializeSnapshot(
      makeSnapshot({
        version: 900,
        timestamp: '2026-01-01T00:00:00Z',
        trigger: 'x',
        files: { 'project.md': `é ${SECRETS.github}\n` },
      }),
    ),
  )
  desk.put(
    'journal/events.jsonl',
    `${desk.read('journal/events.jsonl')}{"of":"another program","key":"${SECRETS.github}"}\n`,
  )
  await (await desk.store()).commit({ surface: 'cli' }, async (draft) => draft.note('looked', {}))
  await desk.run('memory_update', {})
}

describe.for(['local', 'repo'] as const)('%s: ken redact', (mode) => {
  test(
    'removes secrets from every file, event, snapshot and cache, and verify and doctor are clean',
    { timeout: 60_000 },
    async () => {
      desk = await openTruthDesk(mode)
      await leak()
      expect(holding([SECRETS.stripe]).length).toBeGreaterThan(1)
      const shown = await desk.text('redact', {})
      expect(shown).toContain('Nothing was changed')
      expect(ALL.filter((secret) => shown.includes(secret))).toEqual([])
      expect(holding([SECRETS.stripe]).length).toBeGreaterThan(1)

      const before = await desk.run('log', { limit: 100 })
      const said = await desk.text('redact', { yes: true })
      expect(said).toMatch(/4 secrets in \d+ files, 0 left/)
      expect(said).toContain('Revoke')
      expect(said.includes('git still holds')).toBe(mode === 'repo')
      expect(holding(ALL)).toEqual([])
      expect((await desk.run('verify'))['discrepancies']).toEqual([])
      expect((await desk.run('doctor'))['flaws']).toEqual([])
      const after = await desk.run('log', { limit: 100 })
      expect(after['total']).toBe(before['total'])
      const events = await (await desk.store()).journal()
      expect(events.at(-1)).toMatchObject({ operation: 'redact', facts: { secrets: 4 } })
      expect((await (await desk.store()).catalogue()).unreadable).toEqual([])
      expect(await desk.text('redact', { dry_run: true })).toContain('No secret was found')
    },
  )
})

test('a record without a secret is not touched', async () => {
  desk = await openTruthDesk('local')
  await desk.propose('Cache in memory')
  const before = [...desk.bytes()].filter(([path]) => path.startsWith('home/projects'))
  expect(await desk.run('redact', { yes: true })).toMatchObject({ outcome: 'none', secrets: 0 })
  expect([...desk.bytes()].filter(([path]) => path.startsWith('home/projects'))).toEqual(before)
})

test('a common word is not redacted everywhere because one password is that word', async () => {
  desk = await openTruthDesk('local')
  const store = await desk.store()
  await store.commit({ surface: 'cli' }, async (draft) => {
    draft.write('project.md', '# Shop\n\nProduction is where postgres runs.\n')
    draft.write('stack.md', '# Stack\n\n- postgres://app:production@db/shop\n')
  })
  await desk.run('redact', { yes: true })
  expect(desk.read('project.md')).toContain('Production is where postgres runs.')
  expect(desk.read('stack.md')).not.toContain(':production@')
})

test('a foreign file in the record is reported, not rewritten', async () => {
  desk = await openTruthDesk('local')
  await leak()
  writeFileSync(join(desk.root, 'notes.txt'), SECRETS.github)
  const said = await desk.run('redact', { yes: true })
  expect(said['left']).toEqual(['notes.txt'])
})

test('loses nothing if killed at any moment, and the next run finishes', { timeout: 240_000 }, async () => {
  const chance = seededChance(7)
  desk = await openTruthDesk('local')
  await leak()
  const decisions = (await (await desk.store()).catalogue()).decisions.map((d) => d.num)
  const worker = fileURLToPath(new URL('redact-worker.ts', import.meta.url))
  for (let round = 0; round < 8; round++) {
    // Adds secrets again after the previous round removed them.
    await (
      await desk.store()
    ).commit({ surface: 'cli' }, async (draft) => {
      draft.write('context/brief.md', `Again ${SECRETS.github} in round ${round}.\n`)
      draft.snapshot('again')
    })
    await new Promise<void>((resolve) => {
      const child = fork(worker, [desk.home, desk.repo], { stdio: 'ignore' })
      child.on('message', () => setTimeout(() => child.kill('SIGKILL'), Math.floor(chance() * 120)))
      child.on('exit', () => resolve())
    })
    expect((await desk.run('verify'))['discrepancies']).toEqual([])
    const said = await desk.run('redact', { yes: true })
    expect(said['left']).toEqual([])
    expect(holding(ALL)).toEqual([])
    expect((await desk.run('verify'))['discrepancies']).toEqual([])
    expect((await (await desk.store()).catalogue()).decisions.map((d) => d.num)).toEqual(decisions)
  }
})
