import { expect, test } from 'vitest'
import { partedQuestion } from './parted-question.ts'

test.each([
  ['Which port?', { asked: 'Which port?', context: undefined }],
  ['Which port? (context: 80 is taken.)', { asked: 'Which port?', context: '80 is taken.' }],
  [
    'Is this decided: Remove GraphQL? Its status is "proposed". (ADR docs/0047-remove.md)',
    { asked: 'Remove GraphQL: is this decided?', context: 'The status in `docs/0047-remove.md` is "proposed".' },
  ],
])('splits %j', (body, parts) => expect(partedQuestion(body)).toEqual(parts))
