import { expect, test } from 'vitest'
import { newsOfEvent } from './news-of-event.ts'

const told = (operation: string, facts: Record<string, unknown>) =>
  newsOfEvent({ operation, facts }).map(({ kind, did, ref, others }) => [kind, did, ref, ...others].join(' '))

test.each([
  ['propose_decision', { decision: '012-slots' }, ['decision recorded 012-slots']],
  ['update_decision', { decision: '012-slots', target: '012-slots' }, ['decision updated 012-slots']],
  ['supersede_decision', { decision: '019-b', target: '016-a' }, ['decision recorded 019-b 016-a']],
  [
    'supersede_decision',
    { decision: '9-c', target: '1-a', targets: ['1-a', '2-b'] },
    ['decision recorded 9-c 1-a 2-b'],
  ],
  [
    'propose_decision',
    { decision: '014-revenue', resolved: ['Q2'] },
    ['decision recorded 014-revenue', 'question resolved Q2 014-revenue'],
  ],
  ['accept', { decisions: ['1-a', '2-b'] }, ['decision accepted 1-a', 'decision accepted 2-b']],
  ['accept', { files: ['project.md'] }, ['record edited by hand ']],
  ['flag_question', { question: 'Q4' }, ['question asked Q4']],
  ['resolve_questions', { questions: ['Q4'], decision: 7 }, ['question resolved Q4 7']],
  ['update_state', { mode: 'append' }, ['state updated ']],
  ['snapshot', {}, []],
  ['constructor', {}, []],
] as const)('%s with %o', (operation, facts, news) => expect(told(operation, facts)).toEqual(news))

test('handwritten facts do not cause a failure', () => {
  for (const facts of [{}, { decision: 4 }, { decisions: 'all' }, { decisions: [null, {}] }, { question: ['Q1'] }])
    for (const operation of ['propose_decision', 'supersede_decision', 'accept', 'flag_question', 'resolve_questions'])
      expect(() => newsOfEvent({ operation, facts })).not.toThrow()
})
