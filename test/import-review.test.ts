import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Operation } from '../src/operations/operation.ts'
import { isInferred } from '../src/record/domain/decision/inferred.ts'
import { findFlaws } from '../src/record/find-flaws.ts'
import { accept } from '../src/record/operations/accept.ts'
import { checkDecision } from '../src/record/operations/check-decision.ts'
import { exportAdr } from '../src/record/operations/export-adr.ts'
import { guard } from '../src/record/operations/guard.ts'
import { importAdr } from '../src/record/operations/import-adr.ts'
import type { Store } from '../src/record/ports/store.ts'
import { readDecision } from '../src/record/read-decision.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openImportDesk, type ImportDesk } from './import-desk.ts'

let desk: ImportDesk
let store: Store
beforeEach(async () => {
  desk = openImportDesk()
  store = await desk.start()
  desk.write({
    'repo/adr/0002-web-server.md':
      '# 2. Web server\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nWe need a server.\n\n## Decision\n\nWe use Express instead of Fastify or Koa, because the team knows it.\n',
    'repo/adr/0003-form-library.md':
      '# 3. Form library\n\nDate: 2024-01-02\n\n## Considered Options\n\n* Formik\n* React Hook Form\n\n## Decision Outcome\n\nChosen option: React Hook Form, because it is small.\n',
  })
  await desk.run(importAdr, { path: 'adr' })
})
afterEach(() => desk.close())

const rejectedIn = async (stem: string): Promise<string[]> =>
  (await readDecision(store, stem))!.rejected.map((one) => `${one.name}${isInferred(one) ? '?' : ''}`)
const text = async (operation: unknown, input: Record<string, unknown>): Promise<string> =>
  (operation as Operation).render((await desk.run(operation, input)) as never, input as never)

test('the review lists inferred rejections, with their source sentence', async () => {
  expect(await desk.run(importAdr, { review: true })).toMatchObject({
    imported: [],
    inferred: [
      { number: 2, alternative: 'Fastify', sentence: expect.stringMatching(/^We use Express instead of Fastify/) },
      { number: 2, alternative: 'Koa' },
    ],
  })
  expect(await text(importAdr, { review: true })).toMatch(
    /^2 rejected alternatives inferred by an import, not reviewed:\n {2}D002 {2}Web server\n {6}Fastify {2}← "We use Express/,
  )
})

test('a dry run of accept also lists inferred rejections, until they are reviewed', async () => {
  expect((await desk.run(accept, { dry_run: true })).inferred).toMatchObject([
    { num: 2, title: 'Web server', alternative: 'Fastify' },
    { num: 2, alternative: 'Koa' },
  ])
  expect(await desk.run(accept, { decisions: ['2'], rejected: ['Fastify', 'Koa'] })).not.toHaveProperty('inferred')
  expect((await desk.run(accept, { dry_run: true })).inferred).toEqual([])
})

test('a person confirms one and removes the other, and the record stays valid', async () => {
  const said = await text(accept, { decisions: ['2'], rejected: ['fastify'], not_rejected: ['Koa'] })
  expect(said).toBe('Recorded: D002 rejected Fastify.\nRecorded: D002 did not reject Koa.')
  expect(await rejectedIn('002-web-server')).toEqual(['Fastify'])
  expect((await readDecision(store, '002-web-server'))!.rejected[0]!.reason).toMatch(/^We use Express instead of/)
  expect((await desk.run(importAdr, { review: true })).inferred).toEqual([])
  expect([...(await store.verify()), ...(await findFlaws(store))]).toEqual([])
  expect((await store.journal()).at(-1)).toMatchObject({
    operation: 'review_import',
    facts: { rejected: ['D002 Fastify'], not_rejected: ['D002 Koa'] },
  })
})

test('accepting a decision accepts all its inferred rejections; a dry run changes nothing', async () => {
  await desk.run(accept, { decisions: ['2'], dry_run: true })
  expect(await rejectedIn('002-web-server')).toEqual(['Fastify?', 'Koa?'])
  await desk.run(accept, { decisions: ['2'] })
  expect(await rejectedIn('002-web-server')).toEqual(['Fastify', 'Koa'])
})

test('names without an inferred rejection are refused', async () => {
  await expect(desk.run(accept, { decisions: ['2'], rejected: ['Hapi'] })).rejects.toThrow(
    'D002 has no inferred rejection "Hapi".',
  )
  await expect(desk.run(accept, { rejected: ['Koa'] })).rejects.toThrow('Name the decision')
  await expect(desk.run(accept, { decisions: ['2'], rejected: ['Koa'], not_rejected: ['Koa'] })).rejects.toThrow(
    'cannot be both',
  )
})

test('the check marks an inferred rejection as such, but not a stated one', async () => {
  const inferred = await desk.run(checkDecision, { proposed_approach: 'Use Fastify for the web server' })
  expect(inferred.assessment).toContain(
    'It reintroduces "Fastify", rejected in D002 (inferred by the import, not reviewed).',
  )
  expect(inferred.related_decisions[0].brings_back).toMatchObject({ alternative: 'Fastify', inferred: true })
  const stated = await desk.run(checkDecision, { proposed_approach: 'Use Formik for the forms' })
  expect(stated.assessment).toContain('It reintroduces "Formik", rejected in D003.')
  const chosen = await desk.run(checkDecision, { proposed_approach: 'Use React Hook Form for the forms' })
  expect(chosen.assessment).not.toContain('reintroduces')
})

test('guard notes an inferred rejection and fails only on a stated one', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: desk.repo })
  git('init', '-q')
  desk.write({ 'repo/package.json': '{\n  "dependencies": {\n  }\n}\n' })
  git('add', 'package.json')
  git('commit', '-qm', 'start')
  desk.context.repository = () => openRepository(desk.repo)
  const add = (name: string) =>
    desk.write({ 'repo/package.json': `{\n  "dependencies": {\n    "${name}": "^4.0.0"\n  }\n}\n` })
  add('fastify')
  const noted = await desk.run(guard, { paths: ['package.json'], fail_on: 'any' })
  expect(noted.findings).toMatchObject([{ kind: 'returns', severity: 'note', inferred: true }])
  expect(noted.findings[0].reason).toContain('D002 "Web server" seems to have rejected Fastify')
  expect(noted.failed).toBe(false)
  await desk.run(accept, { decisions: ['2'] })
  expect(await desk.run(guard, { paths: ['package.json'], fail_on: 'returns' })).toMatchObject({ failed: true })
})

test('the mark survives an export and another import', async () => {
  for (const format of ['madr', 'nygard']) {
    await desk.run(exportAdr, { folder: `out-${format}`, format })
    const other = openImportDesk()
    try {
      const copy = await other.start()
      other.write(
        Object.fromEntries(
          Object.entries(desk.tree(`repo/out-${format}`)).map(([name, it]) => [`repo/adr/${name}`, it]),
        ),
      )
      await other.run(importAdr, { path: 'adr' })
      expect((await readDecision(copy, '002-web-server'))!.rejected.map(isInferred)).toEqual([true, true])
    } finally {
      await other.close()
    }
  }
})
