import { expect, test } from 'vitest'
import { unmarked } from '../../kernel/domain/view/styled.ts'
import { screenView } from '../../kernel/domain/view/view.ts'
import { openAnswerLines } from './answer-lines.ts'

const view = screenView({ columns: 40, now: new Date(0), hasColour: false, verbose: false })
const LINK = (number: string) => `[${number}](q_0123456789ab.count(*).1)`

/** The lines that stay on the screen, and all intermediate states of the last line. */
function shown(text: string, piece: number): { lines: string[]; partial: string[] } {
  const answer = openAnswerLines(view)
  const lines: string[] = []
  const partial: string[] = []
  for (let at = 0; at < text.length; at += piece) {
    lines.push(...answer.take(text.slice(at, at + piece)))
    partial.push(answer.partial())
  }
  return { lines: [...lines, ...answer.end()].map(unmarked), partial }
}

test.each([1, 7, 1_000])('a number that cites a cell is shown as the number, in pieces of %i', (piece) => {
  const text = `- There were ${LINK('1,234')} orders in the north and ${LINK('56')} in the south, see [the plan](https://plan.example).\n\n| city | orders |\n| --- | --- |\n| Bern | ${LINK('7')} |\n`
  const { lines, partial } = shown(text, piece)
  expect(lines).toEqual([
    '- There were 1,234 orders in the north',
    '  and 56 in the south, see [the',
    '  plan](https://plan.example).',
    '',
    '  city  orders',
    '  Bern       7',
  ])
  expect(partial.join('\n')).not.toContain('q_')
})

test('links in code are unchanged', () => expect(shown(`\`\`\`\n${LINK('1')}\n\`\`\`\n`, 3).lines[1]).toBe(LINK('1')))
