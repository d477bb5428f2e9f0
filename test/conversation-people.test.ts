import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openUpkeepDesk, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

const CALL = `# Call on the billing rewrite

Maria: I moved the invoice export to the nightly queue last Tuesday, so it no longer blocks checkout.
Tobias: Good. Did your nightly queue survive the load test?
Maria: Yes, I ran it with forty thousand invoices.
Tobias: I spent my week on the tax table for Norway instead.
`

async function ask(query: string) {
  const folder = join(desk.home, 'calls')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'billing.md'), CALL)
  await desk.run('collection_add', { name: 'calls', path: folder }).catch(() => {})
  return desk.run('memory_query', { query, workspace: 'all' })
}

test('does not answer a question about one speaker with what another did, and explains it', async () => {
  const answer = await ask('When did Tobias move the invoice export to the nightly queue?')
  expect(answer['results']).toEqual([])
  expect(answer['nearest']).toHaveLength(1)
  expect(answer['notes']).toContain('The nearest conversation has this about someone other than Tobias.')
})

test('the same question about the speaker who did it is answered', async () => {
  const answer = await ask('When did Maria move the invoice export to the nightly queue?')
  expect(answer['results']).toMatchObject([{ title: 'Call on the billing rewrite', verdict: 'strong' }])
  expect(JSON.stringify(answer['notes'])).not.toContain('someone other')
})

test('finds a pasted line of a conversation, whoever it is about', async () => {
  const line = 'Tobias: Good. Did your nightly queue survive the load test?'
  expect((await ask(line))['results']).toHaveLength(1)
})
