import { describe, expect, test } from 'vitest'
import { analyseQuery } from '../../../kernel/domain/text/analyse.ts'
import { namesIn, personEvidence } from './speakers.ts'

const CHAT = [
  'Anna: I went to the pottery class yesterday and made a black bowl.',
  'Ben: That sounds great, Anna! Was the pottery class your first?',
  'Anna: Yes. How was your trip to Oslo?',
  'Ben: My trip to Oslo was cold, but I saw the ships.',
]

const lead = (question: string, lines: readonly string[] = CHAT, hit = { startLine: 1, endLine: lines.length }) =>
  personEvidence(lines.join('\n'), hit, {
    names: namesIn(question),
    terms: analyseQuery(question).map((term) => ({ ...term, weight: 1, isIndexed: true })),
  })

describe('what a conversation has about the person in a question', () => {
  test('ranks first if the person speaks of it, and last if another speaker does', () => {
    expect(lead('What did Anna make in the pottery class?')!.lead).toBeGreaterThan(0.5)
    expect(lead('What did Ben make in the pottery class?')!.lead).toBeLessThan(-0.5)
    expect(lead("How was Ben's trip to Oslo?")).toMatchObject({ person: 'Ben' })
    expect(lead("How was Anna's trip to Oslo?")!.lead).toBeLessThan(-0.5)
  })

  test('includes what another speaker says to the person', () => {
    const told = ['Anna: I am tired today.', 'Ben: Your marathon was long.', 'Anna: Thank you.', 'Ben: I know.']
    expect(lead('How was the marathon of Anna?', told)!.lead).toBeGreaterThan(0)
    expect(lead('How was the marathon of Ben?', told)!.lead).toBeLessThan(0)
  })

  test('counts sentences near the hit only', () => {
    const small = Array.from({ length: 40 }, (_, at) => `${at % 2 === 0 ? 'Anna' : 'Ben'}: I see, thank you.`)
    const far = [...CHAT, ...small]
    expect(lead('What did Ben make in the pottery class?', far, { startLine: 40, endLine: 40 })!.lead).toBe(0)
  })

  test.each([
    ['turns of a session file', CHAT.map((line, at) => `## ${at % 2 === 0 ? 'User' : 'Assistant'}\n\n${line}\n`)],
    ['bold names', CHAT.map((line) => line.replace(/^(\w+):/, '**$1:**'))],
    ['times before names', CHAT.map((line) => `[10:32] ${line}`)],
    ['first and last names', CHAT.map((line) => line.replace(/^Anna:/, 'Anna Berg:').replace(/^Ben:/, 'Ben Lund:'))],
  ])('reads %s', (_, lines) => {
    expect(lead('What did Ben make in the pottery class?', lines.join('\n').split('\n'))!.lead).toBeLessThan(-0.5)
  })

  test.each([
    ['names nobody who speaks', 'What did Clara make in the pottery class?', CHAT],
    ['names several speakers', 'Did Anna and Ben make a bowl in the pottery class?', CHAT],
    ['has no words besides the name', 'Anna?', CHAT],
    ['begins with a label of a log', 'Error in the export of invoices', log('Error')],
    ['begins with a label of questions and answers', 'Question about you and the invoices', faq()],
    ['is a page', `Ben ${Array.from({ length: 41 }, (_, at) => `pottery${at}`).join(' ')}`, CHAT],
    [
      'meets turns of many pages',
      'What did Ben make in the pottery class?',
      [...CHAT, 'the bowl was round. '.repeat(2_000)],
    ],
    ['meets a text that quotes a conversation', 'What did Ben make in the pottery class?', quoted()],
  ])('is unknown if the question %s', (_, question, lines) => {
    expect(lead(question, lines)).toBeUndefined()
  })
})

function log(label: string): string[] {
  return [1, 2, 3].flatMap((at) => [`${label}: export ${at} failed`, `Warning: invoices of ${at} are late`])
}

function faq(): string[] {
  return [1, 2].flatMap((at) => [`Question: How do I pay invoice ${at}?`, `Answer: You ask; the question is common.`])
}

function quoted(): string[] {
  const notes = ['Glazes.', 'Kilns.', 'Clay.', 'Wheels.', 'Tools.', 'Aprons.', 'Hours.', 'Prices.', 'Rules.']
  return [...notes.flatMap((note) => [note, '']), ...CHAT]
}
