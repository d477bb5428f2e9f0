import { describe, expect, test } from 'vitest'
import { outcomeBelowTitle, outcomeOf } from './outcome.ts'

const told = (title: string, rationale: string, ...rejected: string[]) => ({
  title,
  rationale,
  rejected: rejected.map((name) => ({ name, reason: '' })),
})

describe('the outcome in one line', () => {
  test.each([
    [
      'the title, where it says what is done, with what was rejected',
      told('Log with pino', 'We will also keep the old files for a week.', 'winston', 'bunyan'),
      'Log with pino. Rejected: winston, bunyan.',
    ],
    [
      'the sentence that decides, not the context before it',
      told(
        'Web server',
        'We need a server.\n\nWe use Express instead of Fastify, because the team knows it.',
        'Fastify',
      ),
      'We use Express instead of Fastify, because the team knows it.',
    ],
    [
      'the option that was chosen, by its name',
      told(
        'Password entry',
        'Passwords are asked for often.\n\nChosen option: "option 2", because it asks less.\n\n### [option 1] Keep it\n\n### [option 2] Ask only for keys\n',
      ),
      'Ask only for keys, because it asks less.',
    ],
    [
      'the option without its letter and without a reason that follows as a list',
      told(
        'Toolchain',
        'Context.\n\nChosen option: "Option B - Create React App", because\n\n- it is known',
        'Neutrino',
      ),
      'Create React App. Rejected: Neutrino.',
    ],
    [
      'a sentence that goes over two lines',
      told('Mail service', 'The service is old.\n\nWe will eliminate the mail\nservice in spring.'),
      'We will eliminate the mail service in spring.',
    ],
    [
      'the title, where nothing decides: a question and what could be done do not',
      told('Session store', 'Should we use Redis? We could use Redis. Sessions get lost.'),
      'Session store',
    ],
  ])('is %s', (_, decision, line) => expect(outcomeOf(decision)).toBe(line))

  test('is never a table', () => {
    expect(
      outcomeBelowTitle(
        told('Personal data of copies', '| table | fields |\n|---|---|\n| users | mail |\n\nCopies leave the office.'),
      ),
    ).toBe('Copies leave the office.')
  })

  test('continues with the reason if the title is shown above it', () => {
    expect(outcomeBelowTitle(told('Log with pino', 'It is fast.\n\nMore.', 'winston'))).toBe(
      'It is fast. Rejected: winston.',
    )
  })

  test('is the chosen option, a sentence on the same subject, or otherwise the reason, below an imperative title', () => {
    const chosen =
      'Errors are caught everywhere.\n\nChosen option: "One handler for exceptions", because it is less code.'
    expect(outcomeBelowTitle(told('Use an exception handler', chosen))).toBe(
      'One handler for exceptions, because it is less code.',
    )
    const same = 'Texts come in two languages.\n\nWe will use the Mobility gem, with its table backend.'
    expect(outcomeBelowTitle(told('Use the Mobility table backend', same))).toBe(
      'We will use the Mobility gem, with its table backend.',
    )
    const beside = 'Technical Story: A-1\n\nIt is fast.\n\nWe will also keep the old files for a week.'
    expect(outcomeBelowTitle(told('Log with pino', beside))).toBe('It is fast.')
  })
})
