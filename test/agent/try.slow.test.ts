import { expect, test } from 'vitest'
import { useAskDesk } from './ask-desk.ts'

const SQL = 'SELECT city, sum(amount) AS revenue FROM orders GROUP BY city ORDER BY revenue DESC'
const desk = useAskDesk({
  'by city': [
    { call: { tool: 'describe_table', input: { table: 'orders' } } },
    { calls: [{ tool: 'execute_sql', input: { sql: SQL } }] },
    {
      say: '## Revenue\n\nOslo leads with **35**, then Bern with 30.\n\n| city | revenue |\n| --- | ---: |\n| Oslo | 35 |\n| Bern | 30 |\n\nThat is all that there is to say about the revenue of the cities in this little shop of ours, and more words follow.\n',
      call: { tool: 'suggest_follow_ups', input: { questions: ['And by month?', 'Why Oslo?'] } },
    },
  ],
})
test('x', async () => {
  const { raw, code } = await desk.sit(['ask', 'Revenue by city?'])
  console.log(JSON.stringify(raw), code)
  console.log(raw)
  const piped = await desk.piped(['ask', 'Revenue by city?'])
  console.log(piped, desk.model.strays)
  expect(1).toBe(1)
}, 60_000)
