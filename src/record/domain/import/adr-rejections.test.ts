import { describe, expect, test } from 'vitest'
import { inferredReason, isInferred } from '../decision/inferred.ts'
import { readAdr, type Adr } from './adr.ts'

const read = (text: string, filename = '0007-x.md'): Adr => {
  const reading = readAdr(text, filename)
  if (reading.kind === 'other') throw new Error(reading.reason)
  return reading.adr
}

const rejectedNames = (adr: Adr): string[] => adr.rejected.map((one) => `${one.name}${isInferred(one) ? '?' : ''}`)
const weighing = (options: string, outcome: string, title = 'Web framework'): string[] =>
  rejectedNames(read(`# ${title}\n\n## Considered Options\n\n${options}\n\n## Decision Outcome\n\n${outcome}\n`))

describe('the options that were not chosen', () => {
  test.each([
    ['a label and a name', '* Flask\n* Django', 'Chosen Alternative: *Flask*', ['Django']],
    [
      'the label in a list',
      '* Formik\n* React Hook Form',
      '* Chosen option: Formik\n* Easy to test',
      ['React Hook Form'],
    ],
    ['a sentence', '* Flask\n* Django', 'We decided to go with Flask because it is small.', ['Django']],
    ['a plan', '* Flask\n* Django', 'The project will use Flask for the API. Django is large.', ['Django']],
    [
      'a name with quotes of its own',
      '* "Cited in" and "Cites"\n* "Cited" and "Citing"\n* "Cited in"',
      'Chosen option: ""Cited in" and "Cites""", because it is clear.',
      ['"Cited" and "Citing"'],
    ],
    ['the passive', '* Flask\n* Django', 'After a spike, Flask was chosen over Django.', ['Django']],
    ['an order', '* Flask\n* Django', 'Use Flask.', ['Django']],
    ['a letter', '* A. Flask\n* B. Django', 'Chosen option: A. Flask. It is small.', ['Django']],
    ['a place in the list', '* Flask\n* Django', 'We adopted the second option.', ['Flask']],
    [
      'a short name',
      '* Flask (pull based)\n* Django (push based)',
      'Chosen option: Flask, because',
      ['Django (push based)'],
    ],
    ['several', '* Flask\n* Django\n* Rails', 'Chosen options: Flask and Django.', ['Rails']],
    ['two sentences', '* Flask\n* Django\n* Rails', 'We will use Flask. For the admin we will use Django.', ['Rails']],
    ['a check mark', '### ✅ Flask\n\nSmall.\n\n### ❌ Django\n\nLarge.', 'See above.', ['Django']],
    ['a word in brackets', '### Flask (chosen)\n\nSmall.\n\n### Django\n\nLarge.', 'See above.', ['Django']],
    ['a verdict', '### Flask\n\nSmall.\n\n### Django\n\n**Rejected** because it is large.', 'See above.', ['Django']],
    [
      'a table',
      '| Option | Pro | Decision |\n| --- | --- | --- |\n| Flask | small | Selected |\n| Django | admin | Rejected |',
      'See above.',
      ['Django'],
    ],
  ])('are stated by %s', (_, options, outcome, names) => {
    expect(weighing(options, outcome)).toEqual(names)
  })

  test.each([
    ['the title', '* Flask\n* Django', 'It is the smallest.', ['Django?'], 'Use Flask for the API'],
    ['a mention', '* Flask\n* Django', 'Flask strikes the best balance.', ['Django?'], 'Web framework'],
    [
      'another wording',
      '* Keep one web framework for all services\n* Let each team choose',
      'Chosen option: "One framework for services"',
      ['Let each team choose?'],
      'Web framework',
    ],
  ])('are inferred from %s alone', (_, options, outcome, names, title) => {
    expect(weighing(options, outcome, title)).toEqual(names)
  })

  test.each([
    ['nothing says which one was chosen', '* Flask\n* Django', 'See the spike.'],
    ['all are chosen one after the other', '* Flask\n* Django', 'We will use Flask. The admin will use Django.'],
    ['all are named', '* Flask\n* Django', 'We will use Flask and Django.'],
    ['the outcome speaks against one', '* Keep Flask in new work\n* Replace it', 'We will remove Flask in new work.'],
    ['the choice is none of the list', '* Flask\n* Django', 'We decided to use Go.'],
  ])('are empty if %s', (_, options, outcome) => {
    expect(weighing(options, outcome)).toEqual([])
  })

  test('do not include an option that the text chooses in other words', () => {
    expect(
      weighing(
        '* Redis\n* Postgres with NOTIFY\n* Kafka',
        'We will use Postgres for jobs and keep Redis for the cache.',
      ),
    ).toEqual(['Kafka'])
    const alternatives = read(
      '# T\n\n## Decision\n\nRun our containers on ECS.\n\n## Alternatives\n\n### ECS on Fargate\n\nSimple.\n\n### EKS\n\nToo complex.\n',
    )
    expect(rejectedNames(alternatives)).toEqual(['EKS?'])
  })

  test('do not include parts of the chosen option', () => {
    expect(
      weighing(
        '* Flask\n* Flask + Connexion\n* Flask + APIFlask\n* Django',
        'Chosen option: Flask + APIFlask, because it is known.',
      ),
    ).toEqual(['Flask + Connexion', 'Django'])
    expect(
      weighing(
        '* Return a BibTeX string\n* Convert it to JSON\n* Offer both, BibTeX and JSON\n* Refuse',
        'Chosen option: "Offer both, BibTeX and JSON", because',
      ),
    ).toEqual(['Refuse'])
    expect(
      weighing(
        '* CC0\n* MIT\n* Dual license with MIT and CC0\n* BSD3',
        'Chosen option: "Dual license with MIT and CC0"',
      ),
    ).toEqual(['BSD3'])
  })

  test('are found under separate headings, and inside the context', () => {
    const outcome = '## Decision\n\nWe chose option 1.\n'
    expect(
      rejectedNames(read(`# T\n\n## Option 1: Flask\n\nSmall.\n\n## Option 2: Django\n\nLarge.\n\n${outcome}`)),
    ).toEqual(['Option 2: Django'])
    expect(
      rejectedNames(read(`# T\n\n## Context\n\nWe need one.\n\n### Options\n\n- Flask\n- Django\n\n${outcome}`)),
    ).toEqual(['Django'])
    const considered = read(`# T\n\n## Context\n\nWe considered these frameworks:\n\n- Flask\n- Django\n\n${outcome}`)
    expect(rejectedNames(considered)).toEqual(['Django?'])
    expect(considered.rationale).toContain('- Flask\n- Django')
  })
})

describe('an alternative rejected in passing', () => {
  const decided = (sentence: string): string[] => rejectedNames(read(`# T\n\n## Decision\n\n${sentence}\n`))
  test.each([
    ['We use Express instead of Fastify, because the team knows it.', ['Fastify?']],
    ['We chose Express over Fastify or Koa.', ['Fastify?', 'Koa?']],
    ['We will use GraphQL rather than plain REST for this.', ['REST?']],
    ['We considered Kafka, but it is too much to run.', ['Kafka?']],
    ['We decided against MongoDB.', ['MongoDB?']],
    ['MongoDB was ruled out early.', ['MongoDB?']],
    ['We are moving from Jenkins to Buildkite.', ['Jenkins?']],
    ['We use Express instead of writing it ourselves.', []],
    ['We use Express rather than that.', []],
    ['Express has won over many people.', []],
  ])('%s', (sentence, names) => {
    expect(decided(sentence)).toEqual(names)
  })

  test('is inferred once, even if title and text both reject it', () => {
    expect(
      read('# Use Express instead of Fastify\n\n## Decision\n\nWe use Express instead of Fastify.\n').rejected,
    ).toEqual([{ name: 'Fastify', reason: inferredReason('Use Express instead of Fastify', '') }])
  })

  test('is not inferred from a mere comparison in the context', () => {
    expect(
      rejectedNames(read('# T\n\n## Context\n\nOthers use Kafka instead of RabbitMQ.\n\n## Decision\n\nd\n')),
    ).toEqual([])
  })
})
