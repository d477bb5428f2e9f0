import { expect, test } from 'vitest'
import { factQuestion, sharedWords } from './fact-question.ts'
import { timeInQuestion } from './question-time.ts'

const NOW = Date.parse('2026-11-18T10:00:00Z')
const read = (text: string) => factQuestion(text, timeInQuestion(text, NOW))

test.each<[string, object]>([
  ['Which file did I change last?', { kinds: ['changed'], isOne: true, order: 'newest', about: [] }],
  ['which files did we edit yesterday', { kinds: ['changed'], isOne: false }],
  ['what files did you touch in src/cart', { kinds: ['changed'], about: ['src/cart'] }],
  ['which files did we read last week', { kinds: ['read'], isOne: false }],
  ['what failed yesterday', { kinds: ['command'], ok: false, isOne: false }],
  ['which commands failed last week?', { kinds: ['command'], ok: false }],
  ['which tests failed on Monday', { kinds: ['command'], ok: false }],
  ['when did we add zod', { kinds: ['added'], about: ['zod'], isOne: true, order: 'oldest' }],
  ['When was the package left-pad installed?', { kinds: ['added'], about: ['left-pad'] }],
  ['when did we remove moment?', { kinds: ['removed'], about: ['moment'], order: 'newest' }],
  ['which dependencies did we add this month', { kinds: ['added'], isOne: false }],
  ['which packages were removed in October', { kinds: ['removed'] }],
  ['what did we commit yesterday', { kinds: ['commit'], ok: true }],
  ['what was the last commit', { kinds: ['commit'], isOne: true }],
  ['which commands did we run on 15 November', { kinds: ['command'], isOne: false }],
  ['when did we last run terraform apply', { kinds: ['command'], about: ['terraform', 'apply'], order: 'newest' }],
  ['when did we change src/cart.ts', { kinds: ['changed'], about: ['src/cart.ts'], isOne: true }],
  ['which tests did we fix yesterday', { kinds: ['tests'] }],
  ['did the git push fail?', { kinds: ['command'], ok: false, about: ['git', 'push'] }],
  ['when did pnpm lint fail', { kinds: ['command'], ok: false, about: ['pnpm', 'lint'], isOne: true }],
  ['what was the last command that failed', { kinds: ['command'], ok: false, isOne: true }],
  ['which prisma migration failed', { kinds: ['command'], ok: false, about: ['prisma', 'migration'] }],
  ['list the files changed yesterday', { kinds: ['changed'], isOne: false }],
  ['what did I change in packages/pricing', { kinds: ['changed'], about: ['packages/pricing'] }],
  ['which commits did we make for checkout', { kinds: ['commit'], about: ['checkout'] }],
  ['which branch did I create last', { kinds: ['branch'], isOne: true }],
])('%s', (text, question) => {
  expect(read(text)).toMatchObject(question)
})

test.each([
  'why did we add zod',
  'what changed in the API',
  'how do we add a package',
  'when did the outage happen',
  'what did we decide about files',
  'which file format did we choose',
  'what did we change about pricing',
])('%s is not a question about tool calls', (text) => {
  expect(read(text)).toBeUndefined()
})

test('a fact answers with at least half of the words, in any ending', () => {
  const question = read('did the deployment of the storefront fail?')!
  const failed = (what: string) => ({ kind: 'command' as const, what, ok: false, turn: 2, at: '' })
  expect(sharedWords(question, failed('pnpm --filter storefront build'))).toBe(1)
  expect(sharedWords(question, failed('storefront-deployment.sh'))).toBe(2)
  expect(sharedWords(question, failed('pnpm lint'))).toBeUndefined()
  expect(sharedWords(question, { ...failed('storefront'), ok: true })).toBeUndefined()
})
