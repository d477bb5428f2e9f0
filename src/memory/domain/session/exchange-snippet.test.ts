import { expect, test } from 'vitest'
import { exchangeSnippet } from './exchange-snippet.ts'

const SESSION = `---
session: "one"
---

# Why does the export fail?

## User
> at: 2026-11-15T09:59:00.000Z

Why does the export fail?

## Assistant
> at: 2026-11-15T10:00:00.000Z
> tool Bash: npm run export (failed)

I looked at the logs first. The proxy cuts every request after 30 seconds.

The join lost its index in migration 42.

## User
> at: 2026-11-16T08:00:00.000Z
> queued: true

Which suites should I run now?

## Assistant
> at: 2026-11-16T08:01:00.000Z

Run the billing suite.
`

/** Sentences with a word from the list have a higher score; words that are earlier in the list score highest. */
const by =
  (...words: string[]) =>
  async (texts: readonly string[]) =>
    texts.map((text) => {
      const at = words.findIndex((word) => text.includes(word))
      return at === -1 ? 0 : 1 / (at + 1)
    })
const shown = (worthOf: ReturnType<typeof by>, longest: number) =>
  exchangeSnippet({ text: SESSION, title: 'Why does the export fail?' }, worthOf, longest)

test('the answering sentence is shown, with its time and without the file’s headings and facts', async () => {
  expect(await shown(by('proxy'), 50)).toBe(
    '2026-11-15 10:00 Assistant: The proxy cuts every request after 30 seconds.',
  )
})

test('an answer is shown below its question, and the title is not repeated', async () => {
  expect(await shown(by('billing'), 30)).toBe(
    '2026-11-16 08:01 User: Which suites should I run now?\nAssistant: Run the billing suite.',
  )
})

test('tool calls of an agent can be found, and omitted sentences are marked', async () => {
  expect(await shown(by('npm run export', 'migration'), 90)).toBe(
    '2026-11-15 10:00 Assistant: tool Bash: npm run export (failed) … The join lost its index in migration 42.',
  )
})

test('exchanges are shown in their order', async () => {
  const all = await shown(by('billing', 'proxy'), 400)
  expect(all.indexOf('proxy')).toBeLessThan(all.indexOf('billing'))
})

test('lines from the middle of a turn have no speaker', async () => {
  expect(await exchangeSnippet({ text: 'The rest of a long answer.', title: 'x' }, by('rest'), 100)).toBe(
    'The rest of a long answer.',
  )
  expect(await exchangeSnippet({ text: '## User\n> at: x\n\n', title: 'x' }, by('rest'), 100)).toBe('')
})

const answered = (reply: string) => exchangeSnippet({ text: SESSION, title: 'x', reply }, by('billing'), 30)

test('the user’s reply to the answer is added if it is substantial', async () => {
  expect(await answered('Good, but leave the export suite out\nof it until Monday.')).toBe(
    '2026-11-16 08:01 User: Which suites should I run now?\nAssistant: Run the billing suite.\nUser: Good, but leave the export suite out of it until Monday.',
  )
  for (const reply of ['ok go ahead', 'And which ones should I run before a release?', ''])
    expect(await answered(reply)).not.toContain('\nUser: ')
})

test('a reply to an exchange other than the best one is left out', async () => {
  const shown = await exchangeSnippet(
    { text: SESSION, title: 'x', reply: 'Good, but leave the export suite out of it.' },
    by('proxy'),
    60,
  )
  expect(shown).not.toContain('leave the export suite')
})
