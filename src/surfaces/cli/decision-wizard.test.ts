import { expect, test } from 'vitest'
import { typist } from '../../../test/typist.ts'
import { askForDecision, type DecisionDesk } from './decision-wizard.ts'

const desk = (
  answers: readonly (readonly [string, string])[],
  more: Partial<DecisionDesk> = {},
): DecisionDesk & { shown: string[] } => {
  const shown: string[] = []
  return {
    shown,
    streams: typist(answers),
    showRelated: async ({ title, rationale }) => void shown.push(title, rationale),
    write: async () => '',
    ...more,
  }
}
const WHY = 'It was measured and found good.'

test('the answers become equivalent command-line words, after related decisions were shown', async () => {
  const at = desk([
    ['What was decided', 'Queue in Postgres\r'],
    ['Why?', `${WHY}\r`],
    ['turned down?', 'Kafka\r'],
    ['Why not Kafka', '"Too" big: for us\r'],
    ['What else?', '\r'],
    ['Record it', 'y'],
  ])
  expect(await askForDecision(undefined, at)).toEqual([
    '--title=Queue in Postgres',
    `--rationale=${WHY}`,
    '--rejected={"alternative":"Kafka","reason":"\\"Too\\" big: for us"}',
  ])
  expect(at.shown).toEqual(['Queue in Postgres', WHY])
})

test('an alternative given with its reason is split, and the reason is not requested again', async () => {
  const at = desk([
    ['Why?', `${WHY}\r`],
    ['turned down?', 'Redis: a network hop\r'],
    ['What else?', '\r'],
    ['Record it', 'y'],
  ])
  expect(await askForDecision('Queue in Postgres', at)).toEqual([
    `--rationale=${WHY}`,
    '--rejected={"alternative":"Redis","reason":"a network hop"}',
  ])
})

test('a colon inside an alternative does not split it', async () => {
  const at = desk([
    ['Why?', `${WHY}\r`],
    ['turned down?', 'https://kafka.apache.org\r'],
    ['Why not https://kafka.apache.org', 'Too big\r'],
    ['What else?', '\r'],
    ['Record it', 'y'],
  ])
  expect(await askForDecision('Queue in Postgres', at)).toEqual([
    `--rationale=${WHY}`,
    '--rejected={"alternative":"https://kafka.apache.org","reason":"Too big"}',
  ])
})

test('a given title is not requested again, and an invalid one is refused before the first question', async () => {
  const answers = [
    ['Why?', `${WHY}\r`],
    ['turned down?', '\r'],
    ['Record it', 'y'],
  ] as const
  expect(await askForDecision('Queue in Postgres', desk(answers))).toEqual([`--rationale=${WHY}`])
  await expect(askForDecision('Queue\u202e in Postgres', desk([]))).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(askForDecision('-', desk([]))).rejects.toMatchObject({ code: 'invalid_input' })
})

test('answering no cancels, and Ctrl-C at any question stops', async () => {
  const answers: [string, string][] = [
    ['What was decided', 'Queue in Postgres\r'],
    ['Why?', `${WHY}\r`],
    ['turned down?', '\r'],
    ['Record it', 'n'],
  ]
  expect(await askForDecision(undefined, desk(answers))).toBeUndefined()
  for (const at of answers.keys()) {
    const stopped = answers
      .slice(0, at + 1)
      .map(([question, keys], i) => [question, i === at ? '\u0003' : keys] as const)
    await expect(askForDecision(undefined, desk(stopped))).rejects.toMatchObject({ code: 'stopped' })
  }
})

test('an invalid text from the editor is reopened with the reason, until it is valid or empty', async () => {
  const answers = [
    ['Why?', '\r'],
    ['turned down?', '\r'],
    ['Record it', 'y'],
  ] as const
  const seen: string[] = []
  const texts = ['short', WHY]
  const write = async (template: string) => texts[seen.push(template) - 1]!
  expect(await askForDecision('Queue in Postgres', desk(answers, { write }))).toEqual([`--rationale=${WHY}`])
  expect(seen[1]).toMatch(/^short\n\n# The rationale is too short/)
  await expect(askForDecision('Queue in Postgres', desk(answers))).rejects.toMatchObject({ code: 'stopped' })
})
