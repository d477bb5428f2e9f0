import { describe, expect, test } from 'vitest'
import { drawnIn, readStory } from './read-story.ts'
import { boundNamesOf } from './story-params.ts'
import { chooseTable, fillTemplate, retitled, STORY_TEMPLATES, type TemplateTable } from './story-templates.ts'

const column = (name: string, type: string, values?: string[]) => ({ name, type, ...(values && { values }) })
const CUSTOMERS: TemplateTable = {
  database: 'shop',
  schema: 'main',
  name: 'customers',
  columns: [column('id', 'INTEGER'), column('city', 'TEXT', ['Rome', 'Bari'])],
}
const ORDERS: TemplateTable = {
  database: 'shop',
  schema: 'main',
  name: 'Order Lines',
  columns: [
    column('id', 'INTEGER'),
    column('customer_id', 'INTEGER'),
    column('status', 'TEXT', ['paid', 'open']),
    column('placed_at', 'TEXT'),
    column('total_cents', 'INTEGER'),
  ],
}
const spelling = { dialect: 'sqlite', quote: (name: string) => `"${name.replaceAll('"', '""')}"` }

describe('a template', () => {
  test.each(STORY_TEMPLATES)('%s is a story without faults, whose statements use declared names alone', (template) => {
    for (const given of [undefined, { table: ORDERS, spelling }, { table: CUSTOMERS, spelling }]) {
      const { text } = fillTemplate(template, 'A title', given)
      const { blocks, params, statements, faults } = readStory(text)
      expect(faults).toEqual([])
      expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
      const names = new Set(params.flatMap(boundNamesOf))
      const used = statements.flatMap(({ sql }) => [...sql.matchAll(/:(\w+)/g)].map(([, name]) => name!))
      expect(used.filter((name) => !names.has(name))).toEqual([])
      const written = statements.map(({ query }) => query)
      const drawn = drawnIn(blocks).map((one) => (one.kind === 'chart' ? one.chart.query : one.table.query))
      expect([...new Set(drawn)]).toEqual(written)
    }
  })

  test('is filled with a table that has a date and an amount, its names quoted where they need it', () => {
    const table = chooseTable([CUSTOMERS, ORDERS])!
    expect(table).toBe(ORDERS)
    const { text, open } = fillTemplate('comparison', 'Months', { table, spelling })
    expect(open).toEqual([])
    expect(text).toContain('```sql q_both shop')
    expect(text).toContain('FROM main."Order Lines"')
    expect(text).toContain('sum(CASE WHEN placed_at >= :period_start THEN total_cents ELSE 0 END) AS this_period')
    expect(text).toContain('GROUP BY status')
  })

  test('names what a person has to replace if no table fits', () => {
    expect(chooseTable([])).toBeUndefined()
    expect(fillTemplate('weekly', 'Week', undefined).open).toEqual(['your_table', 'your_day', 'your_amount'])
    expect(fillTemplate('question', 'Why', undefined).open).toEqual(['your_table'])
    expect(fillTemplate('blank', 'Page', undefined).open).toEqual([])
  })

  test('counts rows of a table without an amount', () => {
    const { text } = fillTemplate('question', 'How many', { table: CUSTOMERS, spelling })
    expect(text).toContain('SELECT count(*) AS answer\nFROM main.customers')
  })
})

test('a copy has its own title, whatever characters it has', () => {
  expect(retitled('# Old\n\n# Other', 'A $& B')).toBe('# A $& B\n\n# Other')
  expect(retitled('No title.', 'New')).toBe('No title.')
})
