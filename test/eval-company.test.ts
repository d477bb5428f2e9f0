import { expect, test } from 'vitest'
import { packByWords } from '../eval/company/bm25.ts'
import { COMPANY } from '../eval/company/company.ts'
import { lineOf, readJoins, says } from '../eval/company/compiled.ts'
import { ddlOf } from '../eval/company/ddl.ts'
import { JOINS, VALUE_FACTS } from '../eval/company/facts.ts'
import { judgeJoins } from '../eval/company/judge-joins.ts'
import { findLeaks } from '../eval/company/leaks.ts'
import { KINDS, WATCHED } from '../eval/company/people.ts'
import { QUESTIONS } from '../eval/company/questions.ts'
import { isKeptBack } from '../eval/company/random.ts'
import { judgeText } from '../eval/company/shown.ts'
import { nameIn, type Engine } from '../eval/company/statements.ts'

const namesIn = (engine: Engine) => new Map(COMPANY.map(({ name }) => [nameIn(engine, name), name]))
const read = (text: string, engine: Engine = 'postgres') => judgeJoins(readJoins(text, namesIn(engine)))
const leaksIn = (text: string) => new Set(findLeaks(new Map([['preview.md', text]])).map(({ kind }) => kind))

test('a join counts in either direction, with an abbreviated table and with SQLite names', () => {
  const [turned] = [...read('- `crm.customers.id` → `sales.orders.customer_id` 1:n').found]
  expect(turned?.id).toBe('sales.orders.customer_id > crm.customers.id')
  const [composite] = [
    ...read('- `sales.return_lines.order_id + line_no` -> `sales.order_lines.order_id + line_no`').found,
  ]
  expect(composite?.columns).toEqual(['order_id', 'line_no'])
  expect(read('- `main.sales_orders.customer_id` → `main.crm_customers.id`', 'sqlite').found.size).toBe(1)
})

test('two references to one table are equal, and equal names of other things are not', () => {
  const { found, alsoRight, wrong, baited } = read(`## Inferred
- \`billing.invoices.customer_id\` → \`sales.orders.customer_id\`
- \`analytics.stg_orders.customer_id\` → \`crm.customers.id\`
- \`sales.orders.id\` → \`crm.customers.id\`
- \`sales.return_lines.line_no\` → \`sales.order_lines.line_no\`
- \`hr.timesheets.project_id\` → \`crm.campaigns.id\``)
  expect([found.size, alsoRight.length, wrong.length, baited]).toEqual([0, 2, 3, 1])
})

test('the line of a column is a table row or a list item with its indented lines', () => {
  const rows = '| column | type |\n| --- | --- |\n| state | int |\n| state_text | text |\n'
  expect(lineOf(rows, 'state')).toBe('| state | int |')
  expect(lineOf('- `kind` enum\n  private, business\n- `kind_of` text\n', 'kind')).toBe(
    '- `kind` enum\n  private, business',
  )
  expect(lineOf(rows, 'kind')).toBe('')
})

test('a fact matches whole words only, and any one of its alternatives', () => {
  expect([
    says('in euro cents', 'cent|cents'),
    says('percent', 'cent|cents'),
    says('`A`, `B`', 'A'),
    says('AB', 'A'),
  ]).toEqual([true, false, true, false])
})

test('every planted personal value is found in a file, as are the remainders of a partly masked one', () => {
  for (const { values, surname } of WATCHED) {
    for (const kind of KINDS) expect(leaksIn(`| ${values[kind]} |`), values[kind]).toContain(kind)
    expect(leaksIn(`g. ${surname.toUpperCase()}`)).toContain('name')
    expect(leaksIn(`${values.email.split('@')[0]}@…`)).toContain('email')
    expect(leaksIn(`${values.iban.slice(0, 4)} ${values.iban.slice(4).replace(/(.{4})/g, '$1 ')}`)).toContain('iban')
    expect(leaksIn(`…${values.card.slice(-8)}`)).toContain('card')
    expect(leaksIn(values['birth date'].split('-').toReversed().join('.'))).toContain('birth date')
    expect(leaksIn(Number(values.salary).toLocaleString('en'))).toContain('salary')
  }
  expect(leaksIn(`[email], ${values()}`)).toEqual(new Set())
})

test('a question is answerable from the statements of its tables if they explain the values', () => {
  const question = QUESTIONS.find(({ text }) => text.startsWith('What is the total value of the deals we won'))!
  const shown = judgeText(ddlOf().get('crm.opportunities')!, question)
  expect([shown.allTables, shown.allColumns, shown.everything, shown.missing]).toEqual([true, true, true, []])
  const without = judgeText(ddlOf().get('crm.opportunities')!.replace('90 = won', ''), question)
  expect([without.allColumns, without.everything, without.missing]).toEqual([
    true,
    false,
    ['crm.opportunities.stage: won'],
  ])
  expect(judgeText(ddlOf().get('crm.leads')!, question).tables).toBe(0)
})

test('a column of another table does not replace the needed one', () => {
  const question = QUESTIONS.find(({ text }) => text === 'How many returns did we refuse?')!
  const both = '## sales.returns\n- id\n## sales.quotes\n- state: refused\n'
  expect(judgeText(both, question).missing).toEqual(['sales.returns.state', 'sales.returns.state: refused'])
})

test('documents are packed in order of their matching words, and one that is too long is skipped', async () => {
  const pack = packByWords(['apple apple pear', `apple ${'filler '.repeat(400)}`, 'pear', 'nothing'])
  expect(await pack('apple pear', 20)).toBe('apple apple pear\n\npear')
})

test('about half of facts and questions are held out', () => {
  for (const ids of [VALUE_FACTS.map(({ id }) => id), JOINS.map(({ id }) => id), QUESTIONS.map(({ text }) => text)]) {
    const share = ids.filter(isKeptBack).length / ids.length
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.6)
  }
})

/** Allowed file content: codes and numbers that are not personal. */
function values(): string {
  return 'K-000001, A0000001, 340434000000, 2026-06-30, SKU-00001, 4000000000000001, 10.2.14.3, Rose, 990'
}
